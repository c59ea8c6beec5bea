--- A floating window with text that is only read.
local M = {}

---@class mindnet.Float
---@field buf integer
---@field win integer
---@field close fun()
---@field fill fun(lines: string[], title: string)

local function size(lines, title)
  local width = vim.fn.strdisplaywidth(title) + 2
  for _, line in ipairs(lines) do width = math.max(width, vim.fn.strdisplaywidth(line)) end
  return math.min(width + 1, vim.o.columns - 4), math.max(1, math.min(#lines, vim.o.lines - 6))
end

local function place(lines, title)
  local width, height = size(lines, title)
  return {
    relative = 'editor',
    width = width,
    height = height,
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    title = ' ' .. title .. ' ',
    title_pos = 'center',
  }
end

--- Open one over the editor; it closes with `q` or Escape, and when it is left.
---@param lines string[]
---@param options {title: string, filetype: string, note?: integer}
---@return mindnet.Float
function M.open(lines, options)
  local buf = vim.api.nvim_create_buf(false, true)
  local config = place(lines, options.title)
  config.style = 'minimal'
  config.border = vim.o.winborder ~= '' and vim.o.winborder or 'rounded'
  local win = vim.api.nvim_open_win(buf, true, config)
  local float = { buf = buf, win = win }

  function float.close()
    if vim.api.nvim_win_is_valid(win) then vim.api.nvim_win_close(win, true) end
  end

  function float.fill(new, title)
    vim.bo[buf].modifiable = true
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, new)
    vim.bo[buf].modifiable = false
    vim.api.nvim_win_set_config(win, place(new, title))
  end

  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].filetype = options.filetype
  vim.wo[win].cursorline, vim.wo[win].wrap = true, false
  vim.b[buf].mindnet_note = options.note
  float.fill(lines, options.title)
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, float.close, { buffer = buf, nowait = true })
  end
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = buf,
    once = true,
    callback = function() vim.schedule(float.close) end,
  })
  return float
end

return M
