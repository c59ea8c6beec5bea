--- Places of notes: opened, and listed in the quickfix and location lists.
local say = require('mindnet.say')

local M = {}

---@class mindnet.Place
---@field uri string
---@field range lsp.Range

--- Open a place in a window (default: the current one) and show it.
---@param place mindnet.Place
---@param encoding string
function M.open(place, encoding)
  vim.cmd("normal! m'")
  vim.lsp.util.show_document(place, encoding, { reuse_win = true, focus = true })
  vim.cmd('normal! zv')
end

--- Go to a window for a note: that of before, else any other, else a new one.
function M.beside()
  local here = vim.api.nvim_get_current_win()
  local wins = { vim.fn.win_getid(vim.fn.winnr('#')), unpack(vim.api.nvim_tabpage_list_wins(0)) }
  for _, win in ipairs(wins) do
    local is_float = win ~= 0 and vim.api.nvim_win_get_config(win).relative ~= ''
    if win ~= 0 and win ~= here and not is_float then
      if vim.bo[vim.api.nvim_win_get_buf(win)].buftype == '' then
        return vim.api.nvim_set_current_win(win)
      end
    end
  end
  vim.cmd('aboveleft vsplit')
end

--- Open a note where it was left; beside a list or a chat, which stays.
---@param uri string
function M.open_note(uri)
  if vim.bo.buftype ~= '' then M.beside() end
  vim.cmd("normal! m'")
  local buf = vim.uri_to_bufnr(uri)
  vim.bo[buf].buflisted = true
  vim.api.nvim_win_set_buf(0, buf)
end

--- List places, in the order in which they come.
---@param places mindnet.Place[]
---@param text fun(place: any): string the line of each
---@param options {title: string, encoding: string, win?: integer, context?: table, note?: integer}
---  `win`: into the location list of this window
function M.list(places, text, options)
  local order = {}
  for at, place in ipairs(places) do order[place] = at end
  -- all at once: each file is read once
  local items = vim.lsp.util.locations_to_items(places, options.encoding)
  table.sort(items, function(a, b) return order[a.user_data] < order[b.user_data] end)
  for _, item in ipairs(items) do
    item.text = text(item.user_data)
    item.user_data = nil
  end
  local list = { title = options.title, items = items, context = { mindnet = options.context } }
  if options.win then
    vim.fn.setloclist(options.win, {}, ' ', list)
    vim.api.nvim_win_call(options.win, function() vim.cmd('botright lopen') end)
    vim.api.nvim_set_current_win(vim.fn.getloclist(options.win, { winid = 0 }).winid)
  else
    vim.fn.setqflist({}, ' ', list)
    vim.cmd('botright copen')
  end
  local buf = vim.api.nvim_get_current_buf()
  vim.b[buf].mindnet_note = options.note
  require('mindnet.attach').command(buf)
end

--- A list of few words for each: why it was found.
---@param reasons string[]?
function M.why(reasons)
  return reasons and #reasons > 0 and ' — ' .. table.concat(reasons, ' · ') or ''
end

--- A hit of the search in one line.
function M.hit(hit)
  local section = hit.section and hit.section ~= '' and ' › ' .. hit.section or ''
  return ('%s  %s%s%s'):format(say.score(hit.score), hit.title, section, M.why(hit.reasons))
end

return M
