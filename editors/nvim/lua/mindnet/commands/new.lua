--- `:Mindnet new {title}`: a note from the template of its type; `type=project` before the title
--- names that.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

---@param given mindnet.Given
function M.run(given)
  given_.text(given, say('Title: ', 'Titel: '), function(text)
    local kind, title = text:match('^type=(%S+)%s+(.+)$')
    local arguments = { title = title or text, type = kind, open = false, uri = ask.uri(given.buf) }
    ask.run('mindnet.newNote', arguments, function(answer)
      places.open_note(answer.uri)
    end, { buf = given.buf, title = say('Making the note', 'Notiz wird angelegt') })
  end)
end

return M
