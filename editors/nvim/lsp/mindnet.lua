-- Read by `vim.lsp.enable('mindnet')`; your `vim.lsp.config('mindnet', {…})` goes over it.
local function server() return require('mindnet.server') end

---@type vim.lsp.Config
return {
  cmd = function(...) return server().start(...) end,
  filetypes = { 'markdown' },
  root_dir = function(...) server().root_dir(...) end,
  before_init = function(params)
    -- one language on the screen: the server speaks the one that the plugin speaks
    params.locale = require('mindnet.say').locale()
  end,
  on_exit = function(...) require('mindnet.revive').on_exit(...) end,
  handlers = {
    ['$/progress'] = function(...) return require('mindnet.ask').on_progress(...) end,
    ['mindnet/status'] = function(_, status, ctx)
      require('mindnet.status').take(status, ctx.client_id)
    end,
  },
  commands = {
    ['mindnet.showReferences'] = function(...) require('mindnet.references').of_lens(...) end,
    ['editor.action.showReferences'] = function(...)
      require('mindnet.references').given(...)
    end,
    ['editor.action.triggerSuggest'] = function() vim.schedule(vim.lsp.completion.get) end,
  },
  capabilities = {
    experimental = { commands = { commands = { 'editor.action.triggerSuggest' } } },
  },
}
