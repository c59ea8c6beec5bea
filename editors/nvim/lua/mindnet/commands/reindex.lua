--- `:Mindnet reindex`: read all notes again, for links and search; with `!` write all anew.
local ask = require('mindnet.ask')
local say = require('mindnet.say')

local M = {}

---@param given mindnet.Given
function M.run(given)
  local arguments = { full = given.bang or nil }
  ask.run('mindnet.reindex', arguments, function(answer)
    local text = say(
      ('%d notes, %d chunks, %d relations; %d changed, %d deleted'),
      ('%d Notizen, %d Abschnitte, %d Beziehungen; %d geändert, %d gelöscht')
    )
    local counts = { answer.notes, answer.chunks, answer.edges, answer.changed, answer.deleted }
    say.info(text:format(unpack(counts)))
    for _, one in ipairs(answer.failed) do
      say.warn(('%s: %s'):format(vim.uri_to_fname(one.uri), one.reason))
    end
  end, { buf = given.buf, title = say('Indexing', 'Indizieren') })
end

return M
