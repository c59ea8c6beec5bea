--- What a configuration may call. `setup` is optional.
local M = {}

--- Set options; see `:help mindnet-options`. What is wrong in them is told, and left out.
---@param options? mindnet.Options
function M.setup(options) require('mindnet.config').set(options or {}) end

--- The state of the vault of a buffer (default: the current one) for a statusline: `''` where
--- there is no server, else for example `mindnet 37 notes`.
---@param buf? integer
---@return string
function M.statusline(buf) return require('mindnet.status').line(buf or 0) end

return M
