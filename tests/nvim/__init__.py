"""The Neovim plugin of editors/nvim, in a real Neovim, against the real server and core."""
