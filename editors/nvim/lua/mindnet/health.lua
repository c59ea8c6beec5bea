--- `:checkhealth mindnet`.
local say = require('mindnet.say')

local M = {}

local PATIENCE_MS = 30000

local function neovim()
  local health = vim.health
  health.start('Neovim')
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok(version)
  else
    local need = say('Neovim 0.11 or newer is needed', 'Neovim 0.11 oder neuer ist nötig')
    health.error(version, need)
  end
end

--- What the server says its version is, or why it does not.
local function version_of(command)
  local ran, result = pcall(function()
    return vim.system(vim.list_extend({ unpack(command) }, { '--version' }), { text = true })
      :wait(PATIENCE_MS)
  end)
  if not ran then return nil, tostring(result) end
  local output = vim.trim((result.stdout or '') .. '\n' .. (result.stderr or ''))
  if result.code == 0 then return output end
  return nil, output:match('[^\n]*$')
end

local function server()
  local health, places = vim.health, require('mindnet.server')
  health.start('Server')
  local command = places.find()
  if not command then
    local way = say('see :help mindnet-install', 'siehe :help mindnet-install')
    health.error(places.missing(), way)
    return
  end
  local version, reason = version_of(command)
  local where = vim.fn.exepath(command[1])
  if version then
    health.ok(('%s (%s)'):format(version, where))
  else
    local again = say('install the server again', 'den Server neu installieren')
    health.error(('%s: %s'):format(where, reason), again .. ': :help mindnet-install')
  end
end

local function enabled()
  local health = vim.health
  health.start(say('Notes', 'Notizen'))
  if not vim.lsp.is_enabled('mindnet') then
    health.warn(
      say('the server is not enabled', 'der Server ist nicht eingeschaltet'),
      say('into init.lua: ', 'in init.lua: ') .. "vim.lsp.enable('mindnet')"
    )
  end
  local clients = vim.lsp.get_clients({ name = 'mindnet' })
  if #clients == 0 then
    health.info(say('no note is open', 'keine Notiz ist offen'))
  end
  for _, client in ipairs(clients) do
    local count = vim.tbl_count(client.attached_buffers)
    local root = client.root_dir or say('no vault, single files', 'kein Vault, einzelne Dateien')
    health.ok(say(('%s: %d open'):format(root, count), ('%s: %d offen'):format(root, count)))
    M._parts(client)
  end
end

local PARTS = { 'store', 'embedding', 'llm' }

local NAMES = {
  store = { 'store', 'Speicher' },
  embedding = { 'embedding', 'Embedding' },
  llm = { 'language model', 'Sprachmodell' },
}

local ADVICE = {
  store = { 'mindnet doctor says more', 'mindnet doctor sagt mehr' },
  embedding = {
    'searching goes by words alone; mindnet doctor says more',
    'die Suche geht nur nach Wörtern; mindnet doctor sagt mehr',
  },
  llm = {
    'chat needs Ollama: start it with ollama serve, get a model with ollama pull',
    'der Chat braucht Ollama: mit ollama serve starten, mit ollama pull ein Modell holen',
  },
}

--- Store, embedding and language model, as the server sees them.
---@param client vim.lsp.Client
function M._parts(client)
  local health = vim.health
  local params = { command = 'mindnet.status', arguments = { vim.empty_dict() } }
  local answer = client:request_sync('workspace/executeCommand', params, PATIENCE_MS, 0)
  local status = answer and answer.result
  if type(status) ~= 'table' or status.error then
    health.warn(say('the server does not tell its status', 'der Server sagt seinen Zustand nicht'))
    return
  end
  local words = require('mindnet.commands.status')
  health.info(table.concat(words.lines(status), '\n'))
  for _, part in ipairs(PARTS) do
    local state = status[part].state
    if vim.list_contains({ 'missing', 'unavailable', 'error' }, state) then
      local found = say(unpack(NAMES[part])) .. ': ' .. words.state(state)
      health.warn(found, say(unpack(ADVICE[part])))
    end
  end
end

local function completion()
  local health, config = vim.health, require('mindnet.config')
  health.start(say('Completion', 'Vervollständigung'))
  local others = {}
  for name, title in vim.spairs({ ['blink.cmp'] = 'blink.cmp', cmp = 'nvim-cmp' }) do
    if package.loaded[name] then table.insert(others, title) end
  end
  local names = table.concat(others, ', ')
  if not config.options.completion then
    health.ok(say("Neovim's own is switched off", 'die von Neovim ist ausgeschaltet'))
  elseif names ~= '' then
    local both = say('%s and Neovim both complete', '%s und Neovim vervollständigen beide')
    health.warn(both:format(names), "require('mindnet').setup({ completion = false })")
  else
    health.ok(say("Neovim's own, while you type", 'die von Neovim, beim Tippen'))
  end
end

function M.check()
  neovim()
  server()
  enabled()
  completion()
  vim.health.info(say('log: ', 'Protokoll: ') .. vim.lsp.get_log_path())
end

return M
