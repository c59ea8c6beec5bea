--- `:Mindnet rate {1-5} [comment]`: for the hit under the cursor in the list of a query, for the
--- source or the answer under the cursor in the chat.
local ask = require('mindnet.ask')
local say = require('mindnet.say')

local M = {}

--- What stands under the cursor: the query, and the note or answer.
---@return {query_id: string, node_id: string, name: string}?
local function rated(buf)
  if vim.bo[buf].filetype == 'mindnet-chat' or vim.b[buf].mindnet_chat then
    return require('mindnet.chat').rated()
  end
  if vim.bo[buf].buftype ~= 'quickfix' then return nil end
  local info = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1]
  local what = { context = 0, items = 0 }
  local list = info.loclist == 1 and vim.fn.getloclist(0, what) or vim.fn.getqflist(what)
  local context = type(list.context) == 'table' and list.context.mindnet
  if not context then return nil end
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local node, item = context.nodes[line], list.items[line]
  return node and { query_id = context.query_id, node_id = node, name = item.text }
end

---@param found {query_id: string, node_id: string, name: string}
---@param score integer
---@param comment? string
---@param buf integer
function M.send(found, score, comment, buf)
  ask.run('mindnet.feedback', {
    query_id = found.query_id,
    node_id = found.node_id,
    score = score,
    comment = comment,
  }, function()
    say.info(
      ('rated %d: %s'):format(score, found.name),
      ('bewertet mit %d: %s'):format(score, found.name)
    )
  end, { buf = buf })
end

---@param given mindnet.Given
function M.run(given)
  local number, comment = given.args:match('^([1-5])%s*(.*)$')
  if not number then
    say.warn(
      'say a number from 1 (poor) to 5 (good)',
      'eine Zahl von 1 (schlecht) bis 5 (gut) angeben'
    )
    return
  end
  local found = rated(given.buf)
  if not found then
    say.warn(
      'put the cursor on a hit of a query, or on an answer or source of the chat',
      'den Cursor auf einen Treffer, eine Antwort oder eine Quelle im Chat setzen'
    )
    return
  end
  M.send(found, tonumber(number), comment ~= '' and comment or nil, given.buf)
end

function M.complete() return { '1', '2', '3', '4', '5' } end

return M
