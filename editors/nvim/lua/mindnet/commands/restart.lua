--- `:Mindnet restart`: stop the server of this vault and start it again.
local M = {}

---@param given mindnet.Given
function M.run(given) require('mindnet.revive').restart(given.buf) end

return M
