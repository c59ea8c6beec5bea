--- The notes around one as a tree of text: each note once, where it is reached first.
local M = {}

---@class mindnet.Node
---@field id string
---@field title string
---@field type string
---@field uri string

---@class mindnet.Edge
---@field source string
---@field target string
---@field kind string

--- The neighbours of every note: by its id, the relations to each other note.
---@return table<string, table<string, string[]>>
local function neighbours(edges)
  local found = vim.defaulttable(function() return vim.defaulttable(function() return {} end) end)
  local function add(from, to, text)
    local texts = found[from][to]
    if not vim.list_contains(texts, text) then table.insert(texts, text) end
  end
  for _, edge in ipairs(edges) do
    if edge.source ~= edge.target then
      add(edge.source, edge.target, edge.kind .. ' →')
      add(edge.target, edge.source, '← ' .. edge.kind)
    end
  end
  return found
end

--- The lines of the tree, and the note of each line.
---@param start mindnet.Node
---@param nodes mindnet.Node[]
---@param edges mindnet.Edge[]
---@return string[] lines
---@return mindnet.Node[] notes
function M.lines(start, nodes, edges)
  local by_id, near = {}, neighbours(edges)
  for _, node in ipairs(nodes) do by_id[node.id] = node end
  -- by breadth first: a note hangs on the one by which it is nearest
  local children, seen, level = {}, { [start.id] = true }, { start }
  while #level > 0 do
    local nexts = {}
    for _, node in ipairs(level) do
      local found = {}
      for id, texts in pairs(near[node.id]) do
        if by_id[id] and not seen[id] then
          seen[id] = true
          table.sort(texts)
          table.insert(found, { node = by_id[id], relation = table.concat(texts, ', ') })
        end
      end
      table.sort(found, function(a, b)
        if a.relation ~= b.relation then return a.relation < b.relation end
        if a.node.title ~= b.node.title then return a.node.title < b.node.title end
        return a.node.id < b.node.id
      end)
      children[node.id] = found
      for _, one in ipairs(found) do table.insert(nexts, one.node) end
    end
    level = nexts
  end

  local lines, notes = { start.title }, { start }
  local function draw(node, indent)
    local found = children[node.id] or {}
    for at, child in ipairs(found) do
      local last = at == #found
      local kind = child.node.type ~= '' and (' (%s)'):format(child.node.type) or ''
      local branch = last and '└─ ' or '├─ '
      table.insert(lines, indent .. branch .. child.relation .. ' ' .. child.node.title .. kind)
      table.insert(notes, child.node)
      draw(child.node, indent .. (last and '   ' or '│  '))
    end
  end
  draw(start, '')
  return lines, notes
end

return M
