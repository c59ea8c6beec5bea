--- What a note gets when the server is attached to it.
local config = require('mindnet.config')

local M = {}

local COMPLETEOPT = 'menu,menuone,noselect,popup'

--- `:Mindnet` in a buffer.
---@param buf integer
function M.command(buf)
  vim.api.nvim_buf_create_user_command(buf, 'Mindnet', function(given)
    require('mindnet.command').run(given)
  end, {
    bang = true,
    nargs = '*',
    range = true,
    desc = 'mindnet',
    complete = function(...) return require('mindnet.command').complete(...) end,
  })
end

--- Have the lenses of a note counted again: when it is gone into, after it was changed, and when
--- the vault was (Neovim does not do so when the server says).
local function follow_lenses(buf, group)
  local function refresh() vim.lsp.codelens.refresh({ bufnr = buf }) end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
    group = group,
    buffer = buf,
    callback = refresh,
  })
  vim.api.nvim_create_autocmd('User', {
    group = group,
    pattern = 'MindnetStatus',
    callback = function()
      if vim.fn.bufwinid(buf) ~= -1 then refresh() end
    end,
  })
  refresh()
end

---@param client vim.lsp.Client
---@param buf integer
function M.attach(client, buf)
  M.command(buf)
  if config.options.completion and client:supports_method('textDocument/completion', buf) then
    vim.lsp.completion.enable(true, client.id, buf, { autotrigger = true })
    -- Neovim's default takes the first item at once; whoever has set the option keeps it
    local default = vim.api.nvim_get_option_info2('completeopt', {}).default
    if vim.go.completeopt == default then vim.bo[buf].completeopt = COMPLETEOPT end
  end
  if config.options.inlay_hints then vim.lsp.inlay_hint.enable(true, { bufnr = buf }) end
  local group = vim.api.nvim_create_augroup('mindnet.' .. buf, {})
  if config.options.code_lens then follow_lenses(buf, group) end
  vim.api.nvim_create_autocmd('LspDetach', {
    group = group,
    buffer = buf,
    callback = function(event)
      if event.data.client_id ~= client.id then return end
      -- Neovim 0.11 would go on waiting for the answers of a server that is gone
      vim.lsp.completion.enable(false, client.id, buf)
      vim.schedule(function()
        if client:is_stopped() then
          require('mindnet.ask').ended(client.id)
          require('mindnet.status').forget(client.id)
        end
      end)
    end,
  })
end

return M
