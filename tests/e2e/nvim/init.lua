vim.lsp.config('mindnet', {
  cmd = { 'mindnet-lsp' },
  filetypes = { 'markdown' },
  root_markers = { '.mindnet', '.obsidian', '.git' },
})
vim.lsp.enable('mindnet')
vim.o.completeopt = 'menu,menuone,noselect,popup'
vim.api.nvim_create_autocmd('LspAttach', { callback = function(ev)
  vim.lsp.completion.enable(true, ev.data.client_id, ev.buf, { autotrigger = true })
end })
