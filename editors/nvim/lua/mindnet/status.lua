--- The state of the vaults, as the servers tell it in `mindnet/status`.
local say = require('mindnet.say')

local M = {}

---@type table<integer, table> by the client's id
local known = {}

--- Keeps a status and has the statuslines drawn again; `User MindnetStatus` tells of it.
---@param status table
---@param client_id integer
function M.take(status, client_id)
  known[client_id] = status
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'MindnetStatus',
    modeline = false,
    data = { client_id = client_id, status = status },
  })
  vim.cmd.redrawstatus({ bang = true })
end

---@param client_id integer
function M.forget(client_id)
  known[client_id] = nil
  vim.cmd.redrawstatus({ bang = true })
end

--- The last status of a buffer's vault.
---@param buf integer
---@return table?
function M.of(buf)
  local client = require('mindnet.ask').client(buf)
  return client and known[client.id]
end

local function notes(count)
  if count == 1 then return say('1 note', '1 Notiz') end
  return say(count .. ' notes', count .. ' Notizen')
end

--- The text for a statusline.
---@param buf integer
---@return string
function M.line(buf)
  local client = require('mindnet.ask').client(buf)
  if not client then return '' end
  local status = known[client.id]
  if not status then return 'mindnet …' end
  local state, pending = status.index.state, status.index.pending or 0
  if state == 'error' then return say('mindnet: error', 'mindnet: Fehler') end
  if state ~= 'ready' then return ('mindnet %s …'):format(notes(status.notes)) end
  if pending > 0 then return ('mindnet %s (%d …)'):format(notes(status.notes), pending) end
  return 'mindnet ' .. notes(status.notes)
end

return M
