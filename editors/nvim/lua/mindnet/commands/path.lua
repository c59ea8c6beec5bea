--- `:Mindnet path {note}`: the shortest ways from this note to another.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

local PATIENCE_MS = 1000
local FILE = vim.lsp.protocol.SymbolKind.File

--- Notes of the vault by a part of their name.
---@param name string
---@param buf integer
---@return lsp.WorkspaceSymbol[]
local function notes(name, buf)
  local client = ask.client(buf)
  if not client or not client.initialized then return {} end
  local answer = client:request_sync('workspace/symbol', { query = name }, PATIENCE_MS, buf)
  local found = answer and answer.result or {}
  return vim.tbl_filter(function(symbol) return symbol.kind == FILE end, found)
end

--- A way in one line: `A —depends_on→ B`.
local function line(way)
  local text = ''
  for at, step in ipairs(way) do
    local kind = step.kind and step.kind ~= vim.NIL and step.kind or ''
    text = text .. (at > 1 and (' —%s→ '):format(kind) or '') .. step.title
  end
  return text
end

---@param given mindnet.Given
local function show(given, uri, target)
  ask.run('mindnet.path', { from_uri = uri, to_uri = target }, function(answer)
    if #answer.paths == 0 then
      say.info('no way leads there', 'kein Weg führt dorthin')
      return
    end
    vim.ui.select(answer.paths, {
      prompt = say('Ways', 'Wege'),
      kind = 'mindnet.path',
      format_item = line,
    }, function(way)
      if not way then return end
      vim.ui.select(way, {
        prompt = say('Open', 'Öffnen'),
        kind = 'mindnet.note',
        format_item = function(step) return step.title end,
      }, function(step)
        if step then places.open_note(step.uri) end
      end)
    end)
  end, { buf = given.buf, title = say('Reading the graph', 'Graph wird gelesen') })
end

---@param given mindnet.Given
function M.run(given)
  local uri = given_.note(given)
  if not uri then return end
  given_.text(given, say('To which note? ', 'Zu welcher Notiz? '), function(name)
    local found = notes(name, given.buf)
    local exact = vim.tbl_filter(function(symbol) return symbol.name == name end, found)
    if #exact == 1 then found = exact end
    if #found == 0 then
      say.warn(('no note is called %s'):format(name), ('keine Notiz heißt %s'):format(name))
    elseif #found == 1 then
      show(given, uri, found[1].location.uri)
    else
      vim.ui.select(found, {
        prompt = say('Which note?', 'Welche Notiz?'),
        kind = 'mindnet.note',
        format_item = function(symbol)
          return symbol.name .. '  ' .. (symbol.containerName or '')
        end,
      }, function(symbol)
        if symbol then show(given, uri, symbol.location.uri) end
      end)
    end
  end)
end

--- Names of notes; a name may have blanks, so the whole rest of the line is looked for.
---@param lead string
---@param rest string
---@return string[]
function M.complete(lead, rest)
  local before = rest:sub(1, #rest - #lead)
  local names = {}
  for _, symbol in ipairs(notes(rest, 0)) do
    if vim.startswith(symbol.name, before) then
      table.insert(names, symbol.name:sub(#before + 1))
    end
  end
  return names
end

return M
