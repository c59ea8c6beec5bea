--- What a person gave to a command: a text, a selection, a note.
local ask = require('mindnet.ask')
local say = require('mindnet.say')

local M = {}

--- The note of the buffer; nil, and that is told, where there is none.
---@param given mindnet.Given
---@return string? uri
function M.note(given)
  local uri = ask.uri(given.buf)
  if not uri then say.warn('open a note first', 'erst eine Notiz öffnen') end
  return uri
end

--- The lines of the range as the server wants them.
---@param given mindnet.Given
---@return lsp.Range?
function M.range(given)
  if not given.lines then return nil end
  local first, last = unpack(given.lines)
  local client = ask.client(given.buf)
  local encoding = client and client.offset_encoding or 'utf-16'
  local text = vim.api.nvim_buf_get_lines(given.buf, last - 1, last, false)[1] or ''
  return {
    start = { line = first - 1, character = 0 },
    ['end'] = { line = last - 1, character = vim.str_utfindex(text, encoding) },
  }
end

--- The text of the range: of the selection where that was given, else of its lines.
---@param given mindnet.Given
---@return string?
function M.selected(given)
  if not given.lines then return nil end
  local first, last = unpack(given.lines)
  local start, stop = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  local lines
  if start[2] == first and stop[2] == last then
    lines = vim.fn.getregion(start, stop, { type = vim.fn.visualmode() })
  else
    lines = vim.api.nvim_buf_get_lines(given.buf, first - 1, last, false)
  end
  return vim.trim(table.concat(lines, '\n'))
end

--- What the person wrote behind the command, else asks for it; nothing where it is given up.
---@param given mindnet.Given
---@param prompt string
---@param go fun(text: string)
function M.text(given, prompt, go)
  if given.args ~= '' then return go(given.args) end
  vim.ui.input({ prompt = prompt }, function(text)
    text = vim.trim(text or '')
    if text ~= '' then go(text) end
  end)
end

return M
