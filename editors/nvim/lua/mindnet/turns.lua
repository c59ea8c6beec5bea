--- One message of a chat and its answer, as lines.
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

---@class mindnet.Turn
---@field message string
---@field first integer its first line in the buffer, from 0
---@field answer_first integer the first line of the answer
---@field sources table[]
---@field left_out table[] notes that were found and did not fit any more
---@field answer string
---@field intent? string
---@field query_id? string
---@field notice? string
---@field draft? table
---@field failed? string why there is no whole answer
---@field things table<integer, table> what is in a line: a source or the draft

local INTENTS = {
  FACT = { 'fact', 'Fakt' },
  DECISION = { 'decision', 'Entscheidung' },
  EMPATHY = { 'experience', 'Erfahrung' },
  INTERVIEW = { 'new note', 'neue Notiz' },
}

---@param message string
---@param first integer
---@return mindnet.Turn
function M.new(message, first)
  return {
    message = message,
    first = first,
    answer_first = first,
    sources = {},
    left_out = {},
    answer = '',
    things = {},
  }
end

local function some(value) return value ~= vim.NIL and value ~= '' and value or nil end

--- Take over what the server says on the way and at the end; the end counts more than what was
--- streamed before.
---@param turn mindnet.Turn
---@param told table
function M.take(turn, told)
  for _, name in ipairs({ 'sources', 'left_out', 'intent', 'query_id', 'draft', 'notice' }) do
    turn[name] = some(told[name]) or turn[name]
  end
  -- what was streamed is worth more than nothing, and less than the checked answer
  if told.answer and (told.answer ~= '' or not told.error) then turn.answer = told.answer end
end

--- What kind of message it was taken for; nil as long as that is not known.
---@param turn mindnet.Turn
---@return string?
function M.badge(turn)
  if not turn.intent then return nil end
  local words = INTENTS[turn.intent:upper()]
  return words and say(unpack(words)) or turn.intent:lower()
end

--- The lines of a turn; notes down what stands in which.
---@param turn mindnet.Turn
---@return string[]
function M.lines(turn)
  local lines = {}
  turn.things = {}
  local function add(line, thing)
    table.insert(lines, line)
    turn.things[turn.first + #lines - 1] = thing
  end
  local said = vim.split(turn.message, '\r?\n')
  add('## ' .. said[1])
  for at = 2, #said do add('> ' .. said[at]) end
  add('')
  for _, source in ipairs(turn.sources) do
    local why = places.why(source.reasons)
    add(('[%d] %s  %s%s'):format(source.n, source.title, say.score(source.score), why), source)
  end
  if #turn.left_out > 0 then
    local titles = vim.tbl_map(function(note) return note.title end, turn.left_out)
    add(say('no room for: ', 'kein Platz für: ') .. table.concat(titles, ', '))
  end
  if #turn.sources > 0 then add('') end
  turn.answer_first = turn.first + #lines
  if turn.answer ~= '' then
    for _, line in ipairs(vim.split(turn.answer, '\r?\n')) do add(line) end
    add('')
  end
  if turn.draft then
    local text = say('draft: %s (<CR> opens it)', 'Entwurf: %s (<CR> öffnet ihn)')
    add('→ ' .. text:format(turn.draft.title), turn.draft)
    add('')
  end
  for _, note in ipairs({ turn.notice or false, turn.failed or false }) do
    if note then
      for _, line in ipairs(vim.split(note, '\n')) do add('> ' .. line) end
      add('')
    end
  end
  return lines
end

--- What a place of a turn means: what its line holds, else the source of the `[1]` there.
---@param turn mindnet.Turn
---@param line integer from 0
---@param column integer in bytes, from 0
---@return table?
function M.at(turn, line, column)
  if turn.things[line] then return turn.things[line] end
  local text = vim.api.nvim_get_current_line()
  local start = 1
  while true do
    local first, last, number = text:find('%[(%d+)%]', start)
    if not first then return nil end
    if column + 1 >= first and column + 1 <= last then
      for _, source in ipairs(turn.sources) do
        if source.n == tonumber(number) then return source end
      end
    end
    start = last + 1
  end
end

return M
