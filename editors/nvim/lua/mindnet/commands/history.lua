--- `:Mindnet history [count]`: earlier questions; the chosen one is asked again.
local ask = require('mindnet.ask')
local say = require('mindnet.say')

local M = {}

local USUAL = 50

local function line(entry)
  local at = (entry.timestamp or ''):gsub('T', ' '):sub(1, 16)
  local count = #(entry.hits or {})
  local hits = say(('%d hits'):format(count), ('%d Treffer'):format(count))
  return ('%s  %s  (%s)'):format(at, (entry.query:gsub('%s+', ' ')), hits)
end

---@param given mindnet.Given
function M.run(given)
  local arguments = { limit = tonumber(given.args) or USUAL, uri = ask.uri(given.buf) }
  ask.run('mindnet.history', arguments, function(answer)
    if #answer.entries == 0 then
      local notice = answer.notice
      if not notice or notice == vim.NIL then notice = nil end
      say.info(notice or say('nothing was asked yet', 'noch wurde nichts gefragt'))
      return
    end
    vim.ui.select(answer.entries, {
      prompt = say('Earlier questions', 'Frühere Fragen'),
      kind = 'mindnet.history',
      format_item = line,
    }, function(entry)
      if not entry then return end
      if entry.source == 'chat' then
        require('mindnet.chat').send(entry.query, given.buf)
      else
        require('mindnet.commands.query').ask(entry.query, given.buf)
      end
    end)
  end, { buf = given.buf, title = say('Reading the history', 'Verlauf wird gelesen') })
end

return M
