--- `:Mindnet log`: what servers wrote to their error output, in Neovim's own log.
local M = {}

function M.run()
  vim.cmd.tabedit(vim.fn.fnameescape(vim.lsp.get_log_path()))
  vim.cmd('normal! G')
end

return M
