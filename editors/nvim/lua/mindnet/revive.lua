--- A server that died is started again, less and less soon, and in the end no more.
local config = require('mindnet.config')
local say = require('mindnet.say')

local M = {
  --- Milliseconds before the first try; each further waits twice as long.
  first_ms = 250,
}

local MOST = 5
local CALM_S = 120
local STEP_MS = 50
local FORCE_MS = 5000

---@type table<string, {count: integer, last: integer}>
local deaths = {}

--- Attach a server to notes, by the configuration that the last one had.
---@param settings vim.lsp.ClientConfig
---@param bufs integer[]
local function start(settings, bufs)
  for _, buf in ipairs(bufs) do
    if vim.api.nvim_buf_is_loaded(buf) then
      vim.lsp.start(settings, { bufnr = buf, silent = true })
    end
  end
end

--- Whether somebody stopped the server on purpose.
local function is_wanted(code, signal)
  return (code == 0 or code == 143) and (signal == 0 or signal == 15)
end

--- Called when a server has ended, in whatever way; also where most of the API is forbidden.
---@param code integer
---@param signal integer
---@param id integer
function M.on_exit(code, signal, id)
  local client = vim.lsp.get_client_by_id(id)
  if not client or is_wanted(code, signal) then return end
  local bufs = vim.tbl_keys(client.attached_buffers)
  vim.schedule(function()
    if config.options.restart and vim.v.exiting == vim.NIL then M._revive(client.config, bufs) end
  end)
end

---@param settings vim.lsp.ClientConfig
---@param bufs integer[]
function M._revive(settings, bufs)
  local key, now = settings.root_dir or '', os.time()
  local death = deaths[key]
  if not death or now - death.last > CALM_S then death = { count = 0, last = now } end
  death.count, death.last = death.count + 1, now
  deaths[key] = death
  if death.count > MOST then
    say.error(
      'the server keeps ending; :Mindnet restart tries again, :Mindnet log says why',
      'der Server endet immer wieder; :Mindnet restart versucht es erneut, '
        .. ':Mindnet log sagt, warum'
    )
    return
  end
  local wait = M.first_ms * 2 ^ (death.count - 1)
  vim.defer_fn(function() start(settings, bufs) end, wait)
end

--- Stop the server of a note, and start it again for all its notes; start one where there is
--- none.
---@param buf integer
function M.restart(buf)
  deaths = {}
  local client = vim.lsp.get_clients({ bufnr = buf, name = 'mindnet' })[1]
  if not client then
    vim.lsp.enable('mindnet')
    return
  end
  local settings, bufs = client.config, vim.tbl_keys(client.attached_buffers)
  local timer, waited = assert(vim.uv.new_timer()), 0
  client:stop()
  timer:start(STEP_MS, STEP_MS, vim.schedule_wrap(function()
    waited = waited + STEP_MS
    if client:is_stopped() and not timer:is_closing() then
      timer:close()
      start(settings, bufs)
    elseif waited == FORCE_MS then
      client:stop(true)
    end
  end))
end

return M
