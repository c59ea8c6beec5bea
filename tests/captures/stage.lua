-- What the scenes do in Neovim. `capture` holds what they share.
capture = {}

function capture.setup()
  vim.o.laststatus, vim.o.ruler, vim.o.showmode, vim.o.showcmd = 0, false, false, false
  vim.o.fillchars = 'eob: ,fold: ,foldopen:v,foldclose:>'
  vim.o.wrap, vim.o.more, vim.o.swapfile, vim.o.hidden = false, false, false, true
  vim.o.winborder, vim.o.updatetime, vim.o.shortmess = 'rounded', 100000, 'aoOstTWAIcCF'
  vim.o.pumheight = 8
  vim.diagnostic.config({ virtual_text = true, signs = false, underline = false })
end

-- Takes away what an earlier scene left on the screen.
function capture.clear()
  vim.lsp.codelens.clear()
  vim.lsp.inlay_hint.enable(false)
end

function capture.client()
  return vim.lsp.get_clients({ bufnr = 0 })[1]
end

-- Whether the server knows the whole vault.
function capture.indexed()
  local client = capture.client()
  if not client or not client.initialized then return false end
  local params = { command = 'mindnet.status', arguments = {} }
  local answer = client:request_sync('workspace/executeCommand', params, 5000, 0)
  return answer and answer.result and answer.result.index.state == 'ready'
end

function capture.ask(method, params)
  local answer = capture.client():request_sync(method, params, 5000, 0)
  assert(answer and not answer.err, vim.inspect(answer))
  return answer.result
end

function capture.position()
  return vim.lsp.util.make_position_params(0, capture.client().offset_encoding)
end

function capture.float_is_open()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then return true end
  end
  return false
end

function capture.menu_is_open()
  return vim.fn.pumvisible() == 1 and #vim.fn.complete_info({ 'items' }).items > 0
end

function capture.list_is_open()
  return vim.bo.buftype == 'quickfix'
end

-- The window as it is seen.
function capture.screen()
  vim.cmd('redraw!')
  local lines = {}
  for row = 1, vim.o.lines do
    local cells = {}
    for column = 1, vim.o.columns do cells[#cells + 1] = vim.fn.screenstring(row, column) end
    lines[#lines + 1] = (table.concat(cells):gsub('%s+$', ''))
  end
  return lines
end

function capture.shows(text)
  return table.concat(capture.screen(), '\n'):find(text, 1, true) ~= nil
end

-- The text of the only floating window.
function capture.float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
    end
  end
end

local function padded(text, width)
  return text .. (' '):rep(width - vim.fn.strdisplaywidth(text))
end

local function relative(uri)
  return vim.fn.fnamemodify(vim.uri_to_fname(uri), ':.')
end

-- Where the cursor is now, with a line above and some below.
function capture.here()
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local lines = { vim.fn.expand('%:.') .. ':' .. line }
  local text = vim.api.nvim_buf_get_lines(0, line - 2, line + 3, false)
  for at, each in ipairs(text) do
    lines[#lines + 1] = (at == 2 and '> ' or '  ') .. each
  end
  return lines
end

-- The quickfix list, or a location list.
function capture.list(items)
  local lines = {}
  for _, item in ipairs(items or vim.fn.getqflist()) do
    local name = item.bufnr > 0 and vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ':.') or ''
    local where = name .. (item.lnum > 0 and ':' .. item.lnum or '')
    local line = where .. '  ' .. vim.trim(item.text)
    if lines[#lines] ~= line then lines[#lines + 1] = line end
  end
  return lines
end

-- Lines of the note with what a namespace marks in them.
function capture.marked(name, first, last)
  local space, lines = vim.api.nvim_create_namespace(name), {}
  for number = first, last do
    local line = vim.api.nvim_buf_get_lines(0, number - 1, number, false)[1]
    local marks = {}
    local from, to = { number - 1, 0 }, { number - 1, -1 }
    local found = vim.api.nvim_buf_get_extmarks(0, space, from, to, { details = true })
    for _, mark in ipairs(found) do
      local start = vim.fn.strdisplaywidth(line:sub(1, mark[3]))
      local stop = vim.fn.strdisplaywidth(line:sub(1, mark[4].end_col))
      for at = #marks + 1, start do marks[at] = ' ' end
      for at = start + 1, stop do marks[at] = '^' end
    end
    if #marks > 0 then
      lines[#lines + 1] = line
      lines[#lines + 1] = table.concat(marks)
    end
  end
  return lines
end

-- Semantic tokens of some lines: line, text, type and modifiers.
function capture.tokens(first, last)
  local legend = capture.client().server_capabilities.semanticTokensProvider.legend
  local document = { textDocument = vim.lsp.util.make_text_document_params() }
  local data = capture.ask('textDocument/semanticTokens/full', document).data
  local line, byte, lines = 0, 0, {}
  for at = 1, #data, 5 do
    if data[at] > 0 then
      line, byte = line + data[at], 0
    end
    byte = byte + data[at + 1]
    local text = vim.api.nvim_buf_get_lines(0, line, line + 1, true)[1]
    local names = { legend.tokenTypes[data[at + 3] + 1] }
    for bit = 0, #legend.tokenModifiers - 1 do
      if math.floor(data[at + 4] / 2 ^ bit) % 2 == 1 then
        names[#names + 1] = legend.tokenModifiers[bit + 1]
      end
    end
    if line + 1 >= first and line + 1 <= last then
      local token = text:sub(byte + 1, byte + data[at + 2])
      local kind = table.concat(names, '.')
      lines[#lines + 1] = ('%3d  %s %s'):format(line + 1, padded(token, 28), kind)
    end
  end
  return lines
end

-- The edits of a workspace edit: where, and what the line becomes part of.
function capture.edits(edit)
  local lines = {}
  local function add(uri, edits)
    for _, each in ipairs(edits) do
      local where = ('%s:%d'):format(relative(uri), each.range.start.line + 1)
      lines[#lines + 1] = padded(where, 50) .. each.newText
    end
  end
  for uri, edits in pairs(edit.changes or {}) do add(uri, edits) end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.kind == 'rename' then
      lines[#lines + 1] = ('%s → %s'):format(relative(change.oldUri), relative(change.newUri))
    elseif change.edits then
      add(change.textDocument.uri, change.edits)
    end
  end
  table.sort(lines)
  return lines
end

function capture.rename(new_name)
  local params = capture.position()
  params.newName = new_name
  return capture.edits(capture.ask('textDocument/rename', params))
end

function capture.actions()
  local params = vim.lsp.util.make_range_params(0, capture.client().offset_encoding)
  params.context = { diagnostics = vim.lsp.diagnostic.from(vim.diagnostic.get(0)) }
  return vim.tbl_map(function(action)
    return ('%-18s %s'):format(action.kind or '', action.title)
  end, capture.ask('textDocument/codeAction', params))
end

-- A selection that grows from the cursor: each range with how its text begins and ends.
function capture.selections()
  local at = capture.position()
  local params = { textDocument = at.textDocument, positions = { at.position } }
  local found, lines = capture.ask('textDocument/selectionRange', params)[1], {}
  while found do
    local range = found.range
    local stop = range['end']
    if stop.line >= vim.api.nvim_buf_line_count(0) then
      stop = { line = vim.api.nvim_buf_line_count(0) - 1, character = -1 }
    end
    local text = vim.api.nvim_buf_get_text(0, range.start.line, range.start.character,
      stop.line, stop.character, {})
    local first, last = text[1], text[#text]
    local shown = #text == 1 and first or first .. ' … ' .. last
    lines[#lines + 1] = ('%3d–%-3d %s'):format(range.start.line + 1, stop.line + 1, shown)
    found = found.parent
  end
  return lines
end

function capture.links(first, last)
  local params = { textDocument = vim.lsp.util.make_text_document_params() }
  local lines = {}
  for _, link in ipairs(capture.ask('textDocument/documentLink', params)) do
    local range = link.range
    if range.start.line + 1 >= first and range.start.line + 1 <= last then
      local text = vim.api.nvim_buf_get_text(0, range.start.line, range.start.character,
        range['end'].line, range['end'].character, {})[1]
      local target = link.target or capture.ask('documentLink/resolve', link).target
      local path, line = target:match('^([^#]*)(#?.*)$')
      lines[#lines + 1] = padded(text, 52) .. relative(path) .. line
    end
  end
  return lines
end
