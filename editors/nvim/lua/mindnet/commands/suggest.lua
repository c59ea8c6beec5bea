--- `:Mindnet suggest`: links that this note could have. One is chosen, then what becomes of it;
--- with `!` they are listed in the location list.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

local function line(suggestion)
  return ('%s  %s · %s%s'):format(
    say.score(suggestion.score),
    suggestion.title,
    suggestion.kind,
    places.why(suggestion.reasons)
  )
end

--- Insert the link exactly as it was suggested; not into a text that is another by now.
---@return boolean inserted
local function insert(buf, tick, suggestion, encoding)
  if not vim.api.nvim_buf_is_loaded(buf) or vim.b[buf].changedtick ~= tick then
    say.warn(
      'the note was changed meanwhile; nothing was inserted',
      'die Notiz wurde inzwischen geändert; nichts wurde eingefügt'
    )
    return false
  end
  if not vim.bo[buf].modifiable then
    say.warn('the note cannot be changed', 'die Notiz lässt sich nicht ändern')
    return false
  end
  local edit = { range = suggestion.range, newText = suggestion.new_text }
  vim.lsp.util.apply_text_edits({ edit }, buf, encoding)
  return true
end

--- Do not suggest it again for this note.
local function dismiss(given, suggestion, uri)
  ask.run('mindnet.dismissSuggestion', {
    uri = uri,
    target_note_id = suggestion.target_note_id,
  }, function()
    say.info(
      ('%s is not suggested here any more'):format(suggestion.title),
      ('%s wird hier nicht mehr vorgeschlagen'):format(suggestion.title)
    )
  end, { buf = given.buf })
end

---@param given mindnet.Given
local function pick(given, uri, found, tick, encoding)
  vim.ui.select(found, {
    prompt = say('Suggested links', 'Vorgeschlagene Links'),
    kind = 'mindnet.suggestion',
    format_item = line,
  }, function(suggestion)
    if not suggestion then return end
    local acts = {
      { say('insert', 'einfügen'), function()
        return insert(given.buf, tick, suggestion, encoding)
      end },
      { say('open the note', 'die Notiz öffnen'), function()
        places.open_note(suggestion.uri)
      end },
      { say('never suggest again', 'nicht mehr vorschlagen'), function()
        dismiss(given, suggestion, uri)
      end },
    }
    vim.ui.select(acts, {
      prompt = suggestion.new_text,
      kind = 'mindnet.act',
      format_item = function(act) return act[1] end,
    }, function(act)
      if act then act[2]() end
    end)
  end)
end

---@param given mindnet.Given
function M.run(given)
  local uri = given_.note(given)
  if not uri then return end
  local win, client = vim.api.nvim_get_current_win(), ask.client(given.buf)
  local tick = vim.b[given.buf].changedtick
  local arguments = { uri = uri, range = given_.range(given) }
  ask.run('mindnet.suggestEdges', arguments, function(answer)
    local found = answer.suggestions
    if #found == 0 then
      say.info('no link to suggest here', 'hier ist kein Link vorzuschlagen')
    elseif given.bang then
      -- the places are those in this note, at which the links would be inserted
      for _, suggestion in ipairs(found) do suggestion.uri = uri end
      places.list(found, line, {
        title = say('mindnet: suggested links', 'mindnet: vorgeschlagene Links'),
        encoding = client.offset_encoding,
        win = win,
        note = given.buf,
      })
    else
      pick(given, uri, found, tick, client.offset_encoding)
    end
  end, { buf = given.buf, title = say('Looking for links', 'Links werden gesucht') })
end

return M
