--- `:Mindnet backlinks`: the links to this note, with kind and line, in the location list.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

local function line(link)
  return ('%s · %s: %s'):format(link.title, link.kind, vim.trim(link.context or ''))
end

---@param given mindnet.Given
function M.run(given)
  local uri = given_.note(given)
  if not uri then return end
  local win, client = vim.api.nvim_get_current_win(), ask.client(given.buf)
  ask.run('mindnet.backlinks', { uri = uri }, function(answer)
    if #answer.backlinks == 0 then
      say.info('no note links here', 'keine Notiz verlinkt hierher')
      return
    end
    places.list(answer.backlinks, line, {
      title = say('mindnet: backlinks', 'mindnet: Links hierher'),
      encoding = client.offset_encoding,
      win = win,
      note = given.buf,
    })
  end, { buf = given.buf, title = say('Looking for backlinks', 'Links hierher') })
end

return M
