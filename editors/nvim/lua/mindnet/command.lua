--- `:Mindnet`: what it can do, and what is completed after it.
local say = require('mindnet.say')

local M = {}

---@class mindnet.Given
---@field buf integer the buffer in which the command was given
---@field args string what stands behind the name of the subcommand
---@field bang boolean
---@field lines? {[1]: integer, [2]: integer} first and last line of a range, from 1

---@class mindnet.Subcommand
---@field en string what it does
---@field de string
---@field complete? fun(lead: string): string[]

--- In the order in which they are offered. Each is a module of `mindnet.commands`.
---@type string[]
M.NAMES = {
  'chat', 'query', 'draft', 'suggest', 'dismissed', 'backlinks', 'related', 'graph', 'path', 'new',
  'resolve', 'history', 'rate', 'reindex', 'status', 'cancel', 'restart', 'log',
}

---@type table<string, {[1]: string, [2]: string}>
local WORDS = {
  chat = { 'chat with your notes', 'mit den Notizen sprechen' },
  query = { 'find notes by words and meaning', 'Notizen nach Wort und Sinn finden' },
  draft = { 'draft a note from a sentence', 'eine Notiz aus einem Satz entwerfen' },
  suggest = { 'insert suggested links', 'vorgeschlagene Links einfügen' },
  dismissed = { 'suggest again what was dismissed', 'Verworfenes wieder vorschlagen' },
  backlinks = { 'list the links to this note', 'Links auf diese Notiz auflisten' },
  related = { 'list notes near in meaning', 'verwandte Notizen auflisten' },
  graph = { 'show the notes around this one', 'die Notizen um diese herum zeigen' },
  path = { 'find the way to another note', 'den Weg zu einer anderen Notiz finden' },
  new = { 'make a note from its template', 'eine Notiz aus ihrer Vorlage anlegen' },
  resolve = { 'list links that lead nowhere', 'Links ins Leere auflisten' },
  history = { 'ask an earlier question again', 'eine frühere Frage noch einmal stellen' },
  rate = { 'rate a hit or an answer, 1 to 5', 'Treffer oder Antwort bewerten, 1 bis 5' },
  reindex = { 'read all notes again', 'alle Notizen neu einlesen' },
  status = { 'show what is indexed and working', 'zeigen, was indiziert ist und läuft' },
  cancel = { 'give up what is being asked', 'laufende Anfragen abbrechen' },
  restart = { 'start the server again', 'den Server neu starten' },
  log = { 'open the log', 'das Protokoll öffnen' },
}

--- What a subcommand does, in the user's language.
---@param name string
---@return string
function M.about(name) return say(unpack(WORDS[name])) end

local function module(name) return require('mindnet.commands.' .. name) end

--- Without a subcommand, one is chosen.
local function choose(given)
  vim.ui.select(M.NAMES, {
    prompt = 'mindnet',
    kind = 'mindnet.command',
    format_item = function(name) return ('%-10s %s'):format(name, M.about(name)) end,
  }, function(name)
    if name then module(name).run(given) end
  end)
end

--- Runs `:Mindnet …`, as `nvim_create_user_command` gives it.
function M.run(command)
  local name, rest = command.args:match('^(%S*)%s*(.-)%s*$')
  ---@type mindnet.Given
  local given = {
    buf = vim.api.nvim_get_current_buf(),
    args = rest,
    bang = command.bang,
    lines = command.range > 0 and { command.line1, command.line2 } or nil,
  }
  if name == '' then
    choose(given)
  elseif vim.list_contains(M.NAMES, name) then
    module(name).run(given)
  else
    local names = table.concat(M.NAMES, ' ')
    say.warn(
      ('%s is no subcommand; there are: %s'):format(name, names),
      ('%s ist kein Unterbefehl; es gibt: %s'):format(name, names)
    )
  end
end

--- Completes subcommands, and what they complete themselves.
---@param lead string
---@param line string
---@param at integer
---@return string[]
function M.complete(lead, line, at)
  local before = line:sub(1, at):gsub('^.-Mindnet!?%s+', '', 1)
  local name, rest = before:match('^(%S+)%s+(.*)$')
  if not name then
    return vim.tbl_filter(function(one) return vim.startswith(one, lead) end, M.NAMES)
  end
  if not vim.list_contains(M.NAMES, name) then return {} end
  local complete = module(name).complete
  return complete and complete(lead, rest) or {}
end

return M
