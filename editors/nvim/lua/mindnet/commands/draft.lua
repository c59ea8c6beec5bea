--- `:Mindnet draft {what to write}`: a draft in a buffer of its own; in it, what is missing is
--- asked for. `type=project` before the text names the type of the note.
local drafts = require('mindnet.drafts')
local given_ = require('mindnet.given')
local say = require('mindnet.say')

local M = {}

---@param given mindnet.Given
function M.run(given)
  if given.args == '' and drafts.is_draft(given.buf) then return drafts.interview(given.buf) end
  local selected = given_.selected(given)
  if selected and given.args == '' then given.args = selected end
  local prompt = say('What should the note tell? ', 'Was soll in der Notiz stehen? ')
  given_.text(given, prompt, function(text)
    local kind, message = text:match('^type=(%S+)%s+(.+)$')
    drafts.draft(message or text, kind, given.buf)
  end)
end

return M
