--- `:Mindnet related`: notes near in meaning to this one or to a range, in the location list.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

---@param given mindnet.Given
function M.run(given)
  local uri = given_.note(given)
  if not uri then return end
  local win, client = vim.api.nvim_get_current_win(), ask.client(given.buf)
  local arguments = { uri = uri, range = given_.range(given) }
  ask.run('mindnet.related', arguments, function(answer)
    if #answer.hits == 0 then
      say.info('no related note was found', 'keine verwandte Notiz gefunden')
      return
    end
    places.list(answer.hits, places.hit, {
      title = say('mindnet: related notes', 'mindnet: verwandte Notizen'),
      encoding = client.offset_encoding,
      win = win,
      note = given.buf,
    })
  end, { buf = given.buf, title = say('Looking for related notes', 'Verwandte Notizen') })
end

return M
