--- `:Mindnet resolve`: links that lead nowhere, in the location list; with `!` those of the whole
--- vault, in the quickfix list.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

local function line(link)
  local nearest = table.concat(link.nearest or {}, ' · ')
  return link.target .. (nearest ~= '' and ' → ' .. nearest .. '?' or '')
end

---@param given mindnet.Given
function M.run(given)
  local uri = given_.note(given)
  if not uri then return end
  local win, client = vim.api.nvim_get_current_win(), ask.client(given.buf)
  local arguments = { uri = not given.bang and uri or nil }
  ask.run('mindnet.resolveUnresolved', arguments, function(answer)
    if #answer.unresolved == 0 then
      say.info('every link leads somewhere', 'alle Links führen irgendwohin')
      return
    end
    places.list(answer.unresolved, line, {
      title = say('mindnet: links that lead nowhere', 'mindnet: Links ins Leere'),
      encoding = client.offset_encoding,
      win = not given.bang and win or nil,
      note = given.buf,
    })
  end, { buf = given.buf, title = say('Checking links', 'Links werden geprüft') })
end

return M
