--- The chat: one buffer for each vault, into which the answer is written while it comes.
local ask = require('mindnet.ask')
local places = require('mindnet.places')
local say = require('mindnet.say')
local turns = require('mindnet.turns')

local M = {}

local ANSWER = 'generated_answer'
local SPACE = vim.api.nvim_create_namespace('mindnet.chat')

---@class mindnet.Chat
---@field buf integer
---@field note? integer the note that the person is in
---@field session_id? string
---@field turns mindnet.Turn[]
---@field asked? mindnet.Asked

---@type table<string, mindnet.Chat> by the root of the vault
local chats = {}

---@param buf? integer
---@return mindnet.Chat?
local function of_buffer(buf)
  buf = buf or vim.api.nvim_get_current_buf()
  for _, chat in pairs(chats) do
    if chat.buf == buf then return chat end
  end
end

--- Write the last turn anew from one of its lines on; a window that looks at the end follows.
---@param chat mindnet.Chat
---@param from integer line, from 0
---@param lines string[]
local function write(chat, from, lines)
  local count = vim.api.nvim_buf_line_count(chat.buf)
  local following = vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_cursor(win)[1] == count
  end, vim.fn.win_findbuf(chat.buf))
  vim.bo[chat.buf].modifiable = true
  vim.api.nvim_buf_set_lines(chat.buf, from, -1, false, lines)
  vim.bo[chat.buf].modifiable = false
  local last = vim.api.nvim_buf_line_count(chat.buf)
  for _, win in ipairs(following) do vim.api.nvim_win_set_cursor(win, { last, 0 }) end
end

--- Write a whole turn, with what kind of message it was taken for.
---@param chat mindnet.Chat
---@param turn mindnet.Turn
local function show(chat, turn)
  if not vim.api.nvim_buf_is_valid(chat.buf) then return end
  write(chat, turn.first, turns.lines(turn))
  vim.api.nvim_buf_clear_namespace(chat.buf, SPACE, turn.first, -1)
  local badge = turns.badge(turn)
  if badge then
    vim.api.nvim_buf_set_extmark(chat.buf, SPACE, turn.first, 0, {
      virt_text = { { badge, 'DiagnosticVirtualTextInfo' } },
      virt_text_pos = 'right_align',
    })
  end
end

--- More of the answer: only its lines are written.
local function grow(chat, turn, text)
  turn.answer = turn.answer .. text
  if not vim.api.nvim_buf_is_valid(chat.buf) then return end
  write(chat, turn.answer_first, vim.split(turn.answer, '\r?\n'))
end

--- The turn and what of it is in the line of the cursor.
---@return mindnet.Turn?, any?
local function under_cursor(chat)
  local line, column = unpack(vim.api.nvim_win_get_cursor(0))
  for at = #chat.turns, 1, -1 do
    local turn = chat.turns[at]
    if line - 1 >= turn.first then return turn, turns.at(turn, line - 1, column) end
  end
end

--- Open what the cursor is on: a source, the source behind `[1]`, or the draft.
local function open()
  local chat = of_buffer()
  if not chat then return end
  local turn, thing = under_cursor(chat)
  if not turn or not thing then return end
  local client = ask.client(chat.buf)
  places.beside()
  if thing == turn.draft then
    require('mindnet.drafts').open(thing, turn.message, {}, chat.note)
  else
    places.open(thing, client and client.offset_encoding or 'utf-8')
  end
end

--- What `:Mindnet rate` rates: the source under the cursor, else the answer.
---@return {query_id: string, node_id: string, name: string}?
function M.rated()
  local chat = of_buffer()
  local turn, thing = nil, nil
  if chat then turn, thing = under_cursor(chat) end
  if not turn or not turn.query_id then return nil end
  local node = type(thing) == 'table' and thing.note_id
  return {
    query_id = turn.query_id,
    node_id = node or ANSWER,
    name = node and thing.title or say('the answer', 'die Antwort'),
  }
end

local function rate(score)
  local found = M.rated()
  if found then require('mindnet.commands.rate').send(found, score, nil, 0) end
end

--- Stop the answer; what there is of it stays.
function M.stop()
  local chat = of_buffer()
  if chat and chat.asked then chat.asked.stop() end
end

--- Ask for the next message.
local function compose()
  vim.ui.input({ prompt = say('Message: ', 'Nachricht: ') }, function(text)
    text = vim.trim(text or '')
    if text ~= '' then M.send(text, 0) end
  end)
end

--- Forget what was said before; the buffer begins anew.
---@param buf integer
function M.new_session(buf)
  local chat = of_buffer(buf) or M.of(buf)
  if not chat then return end
  if chat.asked then chat.asked.stop() end
  chat.session_id, chat.turns = nil, {}
  write(chat, 0, {})
end

local function keys(buf)
  local function map(key, act) vim.keymap.set('n', key, act, { buffer = buf, nowait = true }) end
  for _, key in ipairs({ 'i', 'a', 'o' }) do map(key, compose) end
  map('<CR>', open)
  map('<C-c>', M.stop)
  map('+', function() rate(5) end)
  map('-', function() rate(1) end)
  map('gn', function() M.new_session(0) end)
  map('q', function() pcall(vim.cmd.close) end) -- the last window stays
end

local function help()
  return say(
    'i ask · <CR> open · CTRL-C stop · + - rate · gn new · q close',
    'i fragen · <CR> öffnen · CTRL-C stopp · + - bewerten · gn neu · q schließen'
  )
end

--- The chat of the vault of a buffer; nil, and that is told, where there is no server.
---@param buf integer
---@return mindnet.Chat?
function M.of(buf)
  local found = of_buffer(buf)
  if found then return found end
  local client = ask.client(buf)
  if not client then
    say.warn(
      'the server is not running; :Mindnet restart starts it',
      'der Server läuft nicht; :Mindnet restart startet ihn'
    )
    return nil
  end
  local root = client.root_dir or ''
  local chat = chats[root]
  if not chat or not vim.api.nvim_buf_is_valid(chat.buf) then
    chat = { buf = vim.api.nvim_create_buf(false, true), turns = {} }
    chats[root] = chat
    vim.api.nvim_buf_set_name(chat.buf, 'mindnet://chat/' .. root)
    vim.bo[chat.buf].filetype, vim.bo[chat.buf].modifiable = 'markdown', false
    vim.b[chat.buf].mindnet_chat = true
    keys(chat.buf)
    require('mindnet.attach').command(chat.buf)
  end
  chat.note = vim.b[buf].mindnet_note or buf
  vim.b[chat.buf].mindnet_note = chat.note
  return chat
end

--- Show the chat of a buffer's vault and go there.
---@param buf integer
---@return mindnet.Chat?
function M.open(buf)
  local chat = M.of(buf)
  if not chat then return nil end
  local win = vim.fn.bufwinid(chat.buf)
  if win == -1 then
    vim.cmd('botright vsplit')
    win = vim.api.nvim_get_current_win()
    vim.api.nvim_win_set_buf(win, chat.buf)
    vim.wo[win][0].wrap, vim.wo[win][0].linebreak = true, true
    vim.wo[win][0].number, vim.wo[win][0].relativenumber = false, false
  end
  vim.api.nvim_set_current_win(win)
  vim.wo[win][0].winbar = ' ' .. help():gsub('%%', '%%%%')
  return chat
end

--- Say something; the answer is written into the chat while it comes.
---@param message string
---@param buf integer the note or the chat
function M.send(message, buf)
  buf = buf ~= 0 and buf or vim.api.nvim_get_current_buf()
  local chat = M.open(buf)
  if not chat then return end
  if chat.asked then
    say.warn(
      'an answer is still coming; CTRL-C stops it',
      'es kommt noch eine Antwort; CTRL-C stoppt sie'
    )
    return
  end
  local is_empty = #chat.turns == 0
  local turn = turns.new(message, is_empty and 0 or vim.api.nvim_buf_line_count(chat.buf))
  table.insert(chat.turns, turn)
  show(chat, turn)
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(chat.buf), 0 })
  local arguments = {
    message = message,
    session_id = chat.session_id,
    uri = chat.note and ask.uri(chat.note),
  }
  chat.asked = ask.run('mindnet.chat', arguments, function(answer)
    chat.asked, chat.session_id = nil, answer.session_id
    turns.take(turn, answer)
    show(chat, turn)
  end, {
    buf = chat.buf,
    title = say('Answering', 'Antwort'),
    stream = function(value)
      if value.kind == 'delta' then
        grow(chat, turn, value.text)
      else
        chat.session_id = value.session_id or chat.session_id
        turns.take(turn, value)
        show(chat, turn)
      end
    end,
    quiet = true,
    on_fail = function(reason, partial)
      chat.asked = nil
      if partial then turns.take(turn, partial) end
      turn.failed = reason or say('stopped', 'abgebrochen')
      show(chat, turn)
    end,
  })
end

return M
