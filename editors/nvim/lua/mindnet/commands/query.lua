--- `:Mindnet query {text}`: notes by words and meaning, in the quickfix list.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

--- Ask, and list what was found.
---@param text string
---@param buf integer
function M.ask(text, buf)
  local client = ask.client(buf)
  ask.run('mindnet.query', { query = text, uri = ask.uri(buf) }, function(answer)
    local hits = answer.hits
    if #hits == 0 then
      say.info(('nothing found for “%s”'):format(text), ('nichts gefunden zu „%s“'):format(text))
      return
    end
    places.list(hits, places.hit, {
      title = 'mindnet: ' .. text,
      encoding = client.offset_encoding,
      note = buf,
      context = {
        query_id = answer.query_id,
        nodes = vim.tbl_map(function(hit) return hit.note_id end, hits),
      },
    })
    if answer.notice and answer.notice ~= vim.NIL then say.info(answer.notice) end
  end, { buf = buf, title = say('Searching', 'Suche') })
end

---@param given mindnet.Given
function M.run(given)
  local selected = given_.selected(given)
  if selected and given.args == '' then given.args = selected:gsub('%s+', ' ') end
  local prompt = say('Ask your notes: ', 'Frage an die Notizen: ')
  given_.text(given, prompt, function(text) M.ask(text, given.buf) end)
end

return M
