--- The options of the plugin. What the server is told is in `vim.lsp.config('mindnet', …)`.
local M = {}

---@class mindnet.Options
---@field server? string|string[] the server: a program, or a command with its arguments
---@field completion? boolean complete while typing, with Neovim's own completion
---@field code_lens? boolean show counts above notes and headings
---@field inlay_hints? boolean show titles behind id links
---@field restart? boolean start a server again that died

---@class mindnet.Options.All
M.options = {
  server = nil, ---@type string|string[]|nil
  completion = true,
  code_lens = false,
  inlay_hints = false,
  restart = true,
}

local KINDS = {
  server = { 'string', 'table' },
  completion = { 'boolean' },
  code_lens = { 'boolean' },
  inlay_hints = { 'boolean' },
  restart = { 'boolean' },
}

---@param options mindnet.Options
function M.set(options)
  local say = require('mindnet.say')
  for key, value in vim.spairs(options) do
    local kinds = KINDS[key]
    if not kinds then
      say.warn(('%s: unknown option'):format(key), ('%s: unbekannte Option'):format(key))
    elseif not vim.list_contains(kinds, type(value)) then
      local wanted = table.concat(kinds, ' / ')
      say.warn(('%s: must be %s'):format(key, wanted), ('%s: muss %s sein'):format(key, wanted))
    else
      M.options[key] = value
    end
  end
end

return M
