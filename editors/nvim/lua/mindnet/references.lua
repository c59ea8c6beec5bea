--- The places behind a code lens: one is opened, several are listed.
local places = require('mindnet.places')
local say = require('mindnet.say')

local M = {}

---@param locations lsp.Location[]
---@param client vim.lsp.Client
---@param buf integer
local function show(locations, client, buf)
  if #locations == 0 then
    say.info('nothing links here any more', 'nichts verlinkt mehr hierher')
  elseif #locations == 1 then
    places.open(locations[1], client.offset_encoding)
  else
    local function line(place)
      local name = vim.uri_to_fname(place.uri)
      local root = client.root_dir
      return root and vim.fs.relpath(root, name) or vim.fs.basename(name)
    end
    places.list(locations, line, {
      title = 'mindnet',
      encoding = client.offset_encoding,
      note = buf,
    })
  end
end

--- `mindnet.showReferences`, the command of our lenses: the server answers with the places.
---@param command lsp.Command
---@param ctx {client_id: integer, bufnr: integer}
function M.of_lens(command, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  local params = { command = command.command, arguments = command.arguments }
  client:request('workspace/executeCommand', params, function(error, answer)
    if error then
      say.error(error.message)
    else
      show(answer.locations, client, ctx.bufnr)
    end
  end, ctx.bufnr)
end

--- `editor.action.showReferences` of VS Code: the places are its third argument.
---@param command lsp.Command
---@param ctx {client_id: integer, bufnr: integer}
function M.given(command, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  show((command.arguments or {})[3] or {}, client, ctx.bufnr)
end

return M
