-- What the README of the plugin tells a person to write, and nothing more.
vim.lsp.enable('mindnet')
