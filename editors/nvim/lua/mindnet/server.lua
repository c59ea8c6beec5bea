--- Where the server is, and where a vault begins.
local config = require('mindnet.config')
local say = require('mindnet.say')

local M = {}

local WINDOWS = vim.fn.has('win32') == 1
local told = false

--- The environment that is the plugin's own; see the README.
---@return string
function M.own()
  local bin = WINDOWS and 'Scripts/mindnet-lsp.exe' or 'bin/mindnet-lsp'
  return vim.fs.joinpath(vim.fn.stdpath('data') --[[@as string]], 'mindnet', 'server', bin)
end

--- The places that are looked at, best first. A server that is set is the only one.
---@return string[][] commands
function M.candidates()
  local set = config.options.server
  if type(set) == 'table' then return { set } end
  if set then return { { vim.fs.normalize(set) } } end
  return { { M.own() }, { 'mindnet-lsp' } }
end

--- The command of the server; nil where it is in none of the places.
---@return string[]?
function M.find()
  for _, command in ipairs(M.candidates()) do
    if command[1] and vim.fn.executable(command[1]) == 1 then return command end
  end
end

--- What to do where there is no server.
---@return string
function M.missing()
  local set = config.options.server
  if set then
    local name = type(set) == 'table' and table.concat(set, ' ') or set
    return say(
      ('the option server is %s, which is no program'):format(name),
      ('die Option server ist %s, das ist kein Programm'):format(name)
    )
  end
  return say(
    ('the server is missing: neither %s nor mindnet-lsp on PATH; see :help mindnet-install')
      :format(M.own()),
    ('der Server fehlt: weder %s noch mindnet-lsp im PATH; siehe :help mindnet-install')
      :format(M.own())
  )
end

--- Starts the server, for `cmd` of the configuration.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@param client? vim.lsp.ClientConfig
function M.start(dispatchers, client)
  client = client or {}
  local command = assert(M.find(), M.missing())
  local options = { cwd = client.cmd_cwd, env = client.cmd_env, detached = client.detached }
  return vim.lsp.rpc.start(command, dispatchers, options)
end

--- The vault of a buffer, for `root_dir` of the configuration: the nearest folder with a mark of
--- a vault, else that of the repository; else the file alone. Without a server nothing is
--- started, and that is told once.
---@param buf integer
---@param on_dir fun(root?: string)
function M.root_dir(buf, on_dir)
  local ours = type(vim.lsp.config.mindnet.cmd) == 'function'
  if ours and not M.find() then
    if not told then
      told = true
      vim.schedule(function() say.warn(M.missing()) end)
    end
    return
  end
  on_dir(vim.fs.root(buf, { '.mindnet', '.obsidian' }) or vim.fs.root(buf, '.git'))
end

return M
