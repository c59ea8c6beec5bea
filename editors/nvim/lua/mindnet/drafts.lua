--- Drafts: a note that is not saved yet, in a buffer of its own; `:w` saves it.
local ask = require('mindnet.ask')
local say = require('mindnet.say')

local M = {}

local SPACE = vim.api.nvim_create_namespace('mindnet.draft')
local SAVE_MS = 30000

---@class mindnet.Draft
---@field message string what the person told
---@field type? string
---@field answers table<string, string>
---@field missing {field: string, hint: string}[]
---@field tick integer of the buffer as it was drafted
---@field note? integer the note from which it was drafted

---@type table<integer, mindnet.Draft>
local drafts = {}

--- The line behind the frontmatter, from 0: there the missing fields are shown.
local function below_frontmatter(lines)
  if lines[1] ~= '---' then return 0 end
  for at = 2, #lines do
    if lines[at] == '---' then return at - 1 end
  end
  return 0
end

local function show_missing(buf, missing, lines)
  vim.api.nvim_buf_clear_namespace(buf, SPACE, 0, -1)
  if #missing == 0 then return end
  local shown = { { { say('still missing:', 'noch offen:'), 'DiagnosticInfo' } } }
  for _, one in ipairs(missing) do
    table.insert(shown, { { ('  %s: %s'):format(one.field, one.hint), 'DiagnosticInfo' } })
  end
  local way = say(
    '  :Mindnet draft asks for them, :w saves',
    '  :Mindnet draft fragt danach, :w speichert'
  )
  table.insert(shown, { { way, 'Comment' } })
  vim.api.nvim_buf_set_extmark(buf, SPACE, below_frontmatter(lines), 0, { virt_lines = shown })
end

--- Put a draft of the server into its buffer.
local function fill(buf, draft, found)
  local lines = vim.split((found.markdown:gsub('\n$', '')), '\n')
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  show_missing(buf, found.missing_fields, lines)
  draft.missing, draft.type = found.missing_fields, found.type
  vim.bo[buf].modified = true
  draft.tick = vim.b[buf].changedtick
  if found.notice and found.notice ~= vim.NIL and found.notice ~= '' then say.info(found.notice) end
end

--- Replace the draft by the note that it has become, wherever it is shown.
local function replace(buf, uri)
  local note = vim.uri_to_bufnr(uri)
  vim.bo[note].buflisted = true
  vim.fn.bufload(note)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_set_buf(win, note)
  end
  if vim.api.nvim_buf_is_valid(buf) then vim.api.nvim_buf_delete(buf, { force = true }) end
end

--- `:w`: waits for the server, so that `:wq` works.
local function save(buf)
  local markdown = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n') .. '\n'
  local arguments = { markdown = markdown, open = false }
  local answer = ask.wait('mindnet.saveDraft', arguments, { buf = buf }, SAVE_MS)
  if not answer then return end
  vim.bo[buf].modified = false
  drafts[buf] = nil
  say.info(
    'saved as ' .. vim.fs.basename(vim.uri_to_fname(answer.uri)),
    'gespeichert als ' .. vim.fs.basename(vim.uri_to_fname(answer.uri))
  )
  vim.schedule(function() replace(buf, answer.uri) end)
end

--- A name that no buffer has.
local function free_name(file)
  local name, number = 'mindnet://draft/' .. file, 1
  while vim.fn.bufexists(name) == 1 do
    number = number + 1
    name = ('mindnet://draft/%d/%s'):format(number, file)
  end
  return name
end

--- Show a draft of the server in a new window.
---@param found table as `mindnet.draft` answers
---@param message string what it was made from
---@param answers table<string, string>
---@param note? integer
---@return integer buf
function M.open(found, message, answers, note)
  local buf = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_buf_set_name(buf, free_name(found.file_name))
  vim.bo[buf].buftype, vim.bo[buf].swapfile = 'acwrite', false
  vim.bo[buf].filetype = 'markdown'
  vim.b[buf].mindnet_note = note
  local draft = { message = message, answers = answers, missing = {}, tick = 0, note = note }
  drafts[buf] = draft
  fill(buf, draft, found)
  vim.api.nvim_create_autocmd('BufWriteCmd', {
    buffer = buf,
    callback = function() save(buf) end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buf,
    callback = function() drafts[buf] = nil end,
  })
  require('mindnet.attach').command(buf)
  vim.cmd('belowright split')
  vim.api.nvim_win_set_buf(0, buf)
  return buf
end

--- Draft a note from what a person tells.
---@param message string
---@param kind? string its type
---@param buf integer
function M.draft(message, kind, buf)
  local arguments = { message = message, type = kind, uri = ask.uri(buf) }
  ask.run('mindnet.draft', arguments, function(found)
    M.open(found, message, {}, vim.b[buf].mindnet_note or buf)
  end, { buf = buf, title = say('Writing the draft', 'Entwurf wird geschrieben') })
end

--- Draft again, with what was answered meanwhile.
local function again(buf, draft)
  local arguments = {
    message = draft.message,
    type = draft.type,
    answers = draft.answers,
    uri = draft.note and ask.uri(draft.note),
  }
  ask.run('mindnet.draft', arguments, function(found)
    if not vim.api.nvim_buf_is_valid(buf) then return end
    if vim.b[buf].changedtick ~= draft.tick then return M.edited() end
    fill(buf, draft, found)
  end, { buf = buf, title = say('Writing the draft', 'Entwurf wird geschrieben') })
end

--- Tell that a draft is not written again.
function M.edited()
  say.warn(
    'the draft was edited; what is missing can be written into it',
    'der Entwurf wurde bearbeitet; was fehlt, lässt sich hineinschreiben'
  )
end

--- Whether a buffer is a draft.
---@param buf integer
---@return boolean
function M.is_draft(buf) return drafts[buf] ~= nil end

--- Ask for the missing fields, one after the other; Escape ends the asking, nothing skips one.
---@param buf integer
function M.interview(buf)
  local draft = drafts[buf]
  if vim.b[buf].changedtick ~= draft.tick then return M.edited() end
  if #draft.missing == 0 then
    say.info('nothing is missing; :w saves', 'nichts fehlt; :w speichert')
    return
  end
  local missing, count = draft.missing, 0
  local function next_field(at)
    local one = missing[at]
    if not one then
      if count > 0 then again(buf, draft) end
      return
    end
    vim.ui.input({ prompt = ('%s: %s '):format(one.field, one.hint) }, function(text)
      if not text then
        at = #missing
      elseif vim.trim(text) ~= '' then
        draft.answers[one.field] = text
        count = count + 1
      end
      next_field(at + 1)
    end)
  end
  next_field(1)
end

return M
