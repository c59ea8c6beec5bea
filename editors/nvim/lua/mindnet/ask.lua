--- Asking the server: one JSON object in, one out. What fails is told, in one line.
local say = require('mindnet.say')

local M = {}

---@class mindnet.Asked
---@field title string
---@field client_id integer
---@field fail fun(reason?: string, answer?: table) ends it, without a whole answer
---@field stop fun() ends it because nobody wants the answer any more

---@class mindnet.AskOptions
---@field buf? integer the note by which the server is found; default: the current buffer
---@field title? string shown while it goes on
---@field stream? fun(value: table) what the server tells meanwhile
---@field on_fail? fun(reason?: string, answer?: table) called instead of `on_answer`, with what
---  there is of an answer; without a reason where it was cancelled
---@field quiet? boolean `on_fail` tells the reason

---@type table<string, mindnet.Asked>
local running = {}
---@type table<string, fun(value: table)>
local streams = {}
local number = 0

local STREAM = '^mindnet%-nvim%-%d+%-stream$'
local CANCELLED = { [-32800] = true, [-32802] = true }

--- The server of a buffer: the one that is attached, else the one that it was opened for.
---@param buf? integer
---@return vim.lsp.Client?
function M.client(buf)
  buf = (buf and buf ~= 0) and buf or vim.api.nvim_get_current_buf()
  local clients = vim.lsp.get_clients({ bufnr = buf, name = 'mindnet' })
  if clients[1] then return clients[1] end
  local about = vim.b[buf].mindnet_note
  if about and vim.api.nvim_buf_is_valid(about) then
    clients = vim.lsp.get_clients({ bufnr = about, name = 'mindnet' })
  end
  -- a list or a chat outlives the note that it was about
  return clients[1] or (about and vim.lsp.get_clients({ name = 'mindnet' })[1] or nil)
end

--- The note that a buffer is or is about, as the server names it.
---@param buf? integer
---@return string? uri
function M.uri(buf)
  buf = (buf and buf ~= 0) and buf or vim.api.nvim_get_current_buf()
  local note = vim.b[buf].mindnet_note or buf
  if not vim.api.nvim_buf_is_valid(note) or vim.bo[note].buftype ~= '' then return nil end
  if vim.api.nvim_buf_get_name(note) == '' then return nil end
  return vim.uri_from_bufnr(note)
end

local function offers(client, command)
  local provider = client.server_capabilities.executeCommandProvider
  return vim.list_contains(vim.tbl_get(provider or {}, 'commands') or {}, command)
end

--- The server, if it can do this; else it is told why not.
---@return vim.lsp.Client?
local function able(command, options)
  local fail = options.on_fail or function() end
  local client = M.client(options.buf)
  if not client or not client.initialized or client:is_stopped() then
    say.warn(
      'the server is not running; :Mindnet restart starts it',
      'der Server läuft nicht; :Mindnet restart startet ihn'
    )
    return fail('')
  end
  if not offers(client, command) then
    local version = vim.tbl_get(client, 'server_info', 'version') or '?'
    say.warn(
      ('this server (%s) does not know %s; a newer one may'):format(version, command),
      ('dieser Server (%s) kennt %s nicht; ein neuerer vielleicht'):format(version, command)
    )
    return fail('')
  end
  return client
end

---@param failure {code: string, message: string, hint?: string}
local function worded(failure)
  local hint = failure.hint
  if not hint or hint == vim.NIL or hint == '' then return failure.message end
  return ('%s. %s'):format((failure.message:gsub('%.$', '')), hint)
end

--- Run a command of the server.
---@param command string for example `mindnet.query`
---@param arguments table
---@param on_answer fun(answer: table)
---@param options? mindnet.AskOptions
---@return mindnet.Asked? nil where it could not be asked, which has been told
function M.run(command, arguments, on_answer, options)
  options = options or {}
  local client = able(command, options)
  if not client then return nil end
  number = number + 1
  local token = ('mindnet-nvim-%d'):format(number)
  if options.stream then
    arguments.stream_token = token .. '-stream'
    streams[arguments.stream_token] = options.stream
  end
  local request ---@type integer?
  local asked ---@type mindnet.Asked

  local function done()
    if not running[token] then return false end
    running[token] = nil
    streams[token .. '-stream'] = nil
    M.show()
    return true
  end

  asked = {
    title = options.title or command,
    client_id = client.id,
    fail = function(reason, answer)
      if not done() then return end
      if reason and not options.quiet then say.error(reason) end
      if options.on_fail then options.on_fail(reason, answer) end
    end,
    stop = function()
      if request then client:cancel_request(request) end
      asked.fail(nil)
    end,
  }
  running[token] = asked
  local params = {
    command = command,
    arguments = { next(arguments) and arguments or vim.empty_dict() },
    workDoneToken = token,
  }
  local sent
  sent, request = client:request('workspace/executeCommand', params, function(error, answer)
    if error then
      asked.fail(not CANCELLED[error.code] and error.message or nil)
    elseif type(answer) ~= 'table' then
      asked.fail(say('the server gave no answer', 'der Server gab keine Antwort'))
    elseif answer.error then
      asked.fail(answer.error.code ~= 'cancelled' and worded(answer.error) or nil, answer)
    elseif done() then
      on_answer(answer)
    end
  end, 0)
  if not sent then
    asked.fail(say('the server does not answer', 'der Server antwortet nicht'))
    return nil
  end
  return asked
end

--- Run a command and wait for its answer, at most `timeout` ms; Neovim goes on meanwhile.
---@param command string
---@param arguments table
---@param options? mindnet.AskOptions
---@param timeout integer
---@return table? answer nil where there is none, which has been told
function M.wait(command, arguments, options, timeout)
  local answer, failed
  options = vim.tbl_extend('force', options or {}, { on_fail = function() failed = true end })
  local asked = M.run(command, arguments, function(found) answer = found end, options)
  if not asked then return nil end
  if not vim.wait(timeout, function() return answer ~= nil or failed end, 5) then
    asked.stop()
    say.error('the server took too long', 'der Server hat zu lange gebraucht')
  end
  return answer
end

--- Give up whatever is asked now; how many that were.
---@return integer
function M.cancel()
  local count = 0
  for _, asked in ipairs(vim.tbl_values(running)) do
    count = count + 1
    asked.stop()
  end
  return count
end

--- End what a server that has ended was asked.
---@param client_id integer
function M.ended(client_id)
  for _, asked in ipairs(vim.tbl_values(running)) do
    if asked.client_id == client_id then
      asked.fail(say('the server has ended', 'der Server wurde beendet'))
    end
  end
end

--- Show how far something is, or nothing any more.
---@param text? string
function M.show(text)
  if vim.fn.mode():find('^[ni]') then
    vim.api.nvim_echo({ { text and ('mindnet: ' .. text) or '' } }, false, {})
  end
end

--- Takes `$/progress` for what was asked here; everything else goes its usual way.
function M.on_progress(error, params, ctx)
  local value, token = params.value, params.token
  if type(token) == 'string' and token:find(STREAM) then
    -- what comes after nobody listens any more is nobody else's
    if streams[token] then streams[token](value) end
    return
  end
  local asked = running[token]
  if asked and type(value) == 'table' and value.kind ~= 'end' then
    local percent = value.percentage and (' %d %%'):format(value.percentage) or ''
    M.show(('%s …%s'):format(asked.title, percent))
  end
  return vim.lsp.handlers['$/progress'](error, params, ctx)
end

return M
