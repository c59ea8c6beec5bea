-- What the tests need to see and to press. `spec` holds it.
spec = { own_select = vim.ui.select, said = {}, offered = {}, chosen = {}, asked = {}, typed = {} }

vim.notify = function(text, level) table.insert(spec.said, { text = text, level = level }) end

--- Chooses what the test has said it will, by a part of the text; nothing where it said none.
vim.ui.select = function(items, options, on_choice)
  local shown = vim.tbl_map(options.format_item or tostring, items)
  table.insert(spec.offered, { prompt = options.prompt, items = shown })
  local wanted = table.remove(spec.chosen, 1)
  for at, text in ipairs(shown) do
    if wanted and text:find(wanted, 1, true) then return on_choice(items[at], at) end
  end
  on_choice(nil, nil)
end

--- Types what the test has said it will; nil where it said nothing, as Escape does.
vim.ui.input = function(options, on_confirm)
  table.insert(spec.asked, options.prompt)
  on_confirm(table.remove(spec.typed, 1))
end

function spec.clear()
  spec.said, spec.offered, spec.chosen, spec.asked, spec.typed = {}, {}, {}, {}, {}
end

function spec.client() return vim.lsp.get_clients({ name = 'mindnet' })[1] end

--- Whether index and store are in step with the files.
function spec.indexed()
  local status = require('mindnet.status').of(0)
  return status and status.index.state == 'ready' and status.store.state == 'ready'
end

function spec.lines(buf) return vim.api.nvim_buf_get_lines(buf or 0, 0, -1, false) end

--- Buffer and window of our only floating window.
function spec.float()
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    local buf = vim.api.nvim_win_get_buf(win)
    local is_ours = vim.bo[buf].filetype:find('^mindnet-')
    if is_ours and vim.api.nvim_win_get_config(win).relative ~= '' then return buf, win end
  end
end

--- Virtual lines of a buffer in a namespace, each as one text.
function spec.virtual(name, buf)
  local space, found = vim.api.nvim_create_namespace(name), {}
  local marks = vim.api.nvim_buf_get_extmarks(buf or 0, space, 0, -1, { details = true })
  for _, mark in ipairs(marks) do
    for _, line in ipairs(mark[4].virt_lines or { mark[4].virt_text }) do
      local text = ''
      for _, chunk in ipairs(line) do text = text .. chunk[1] end
      table.insert(found, text)
    end
  end
  return found
end
