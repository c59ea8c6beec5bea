--- `:Mindnet chat [message]`: the chat with the notes; a range goes with the message, and `!`
--- begins a new session.
local chat = require('mindnet.chat')
local given_ = require('mindnet.given')

local M = {}

---@param given mindnet.Given
function M.run(given)
  if given.bang then chat.new_session(given.buf) end
  local selected = given_.selected(given)
  local message = vim.trim(given.args .. (selected and '\n\n' .. selected or ''))
  if message == '' then
    chat.open(given.buf)
  else
    chat.send(message, given.buf)
  end
end

return M
