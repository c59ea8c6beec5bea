-- Nothing is loaded before a buffer of the server needs it.
if vim.g.loaded_mindnet then return end
vim.g.loaded_mindnet = true

if vim.fn.has('nvim-0.11') == 0 then
  local old = 'mindnet needs Neovim 0.11 or newer'
  vim.schedule(function() vim.notify(old, vim.log.levels.ERROR) end)
  return
end

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('mindnet', {}),
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'mindnet' then
      require('mindnet.attach').attach(client, event.buf)
    end
  end,
})
