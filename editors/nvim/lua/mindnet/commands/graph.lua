--- `:Mindnet graph [hops] [kind …]`: the notes around this one as a tree in a floating window.
local ask = require('mindnet.ask')
local float = require('mindnet.float')
local given_ = require('mindnet.given')
local places = require('mindnet.places')
local say = require('mindnet.say')
local tree = require('mindnet.tree')

local M = {}

local MOST_HOPS = 5

---@class mindnet.Around
---@field buf integer the note from which the graph was opened
---@field uri string the note in the middle
---@field hops integer
---@field kinds? string[]

--- The tree around a note; nothing, and that is told, where it is not known.
---@param around mindnet.Around
---@param go fun(lines: string[], notes: mindnet.Node[], title: string)
local function read(around, go)
  local arguments = { uri = around.uri, hops = around.hops, kinds = around.kinds }
  ask.run('mindnet.graph', arguments, function(answer)
    local name = vim.uri_to_fname(around.uri)
    for _, node in ipairs(answer.nodes) do
      if vim.uri_to_fname(node.uri) == name then
        local lines, notes = tree.lines(node, answer.nodes, answer.edges)
        local one = around.hops == 1
        local hops = say(one and 'hop' or 'hops', one and 'Schritt' or 'Schritte')
        return go(lines, notes, ('%s · %d %s'):format(node.title, around.hops, hops))
      end
    end
    say.info('this note is not indexed yet', 'diese Notiz ist noch nicht indiziert')
  end, { buf = around.buf, title = say('Reading the graph', 'Graph wird gelesen') })
end

---@param around mindnet.Around
---@param shown mindnet.Float
local function keys(around, shown, notes)
  local function map(key, act)
    vim.keymap.set('n', key, act, { buffer = shown.buf, nowait = true })
  end
  local function here() return notes[vim.api.nvim_win_get_cursor(shown.win)[1]] end
  local function again()
    read(around, function(lines, found, title)
      if not vim.api.nvim_win_is_valid(shown.win) then return end
      notes = found
      shown.fill(lines, title)
      vim.api.nvim_win_set_cursor(shown.win, { 1, 0 })
    end)
  end
  local function wider(by)
    around.hops = math.max(1, math.min(MOST_HOPS, around.hops + by))
    again()
  end
  map('<CR>', function()
    local note = here()
    shown.close()
    places.open_note(note.uri)
  end)
  map('<Tab>', function()
    around.uri = here().uri
    again()
  end)
  map('+', function() wider(1) end)
  map('-', function() wider(-1) end)
end

---@param given mindnet.Given
function M.run(given)
  local uri = given_.note(given)
  if not uri then return end
  local kinds = vim.split(given.args, '%s+', { trimempty = true })
  local hops = tonumber(kinds[1])
  if hops then table.remove(kinds, 1) end
  local around = {
    buf = given.buf,
    uri = uri,
    hops = math.max(1, math.min(MOST_HOPS, hops or 1)),
    kinds = #kinds > 0 and kinds or nil,
  }
  read(around, function(lines, notes, title)
    local shown = float.open(lines, {
      title = title,
      filetype = 'mindnet-graph',
      note = given.buf,
    })
    keys(around, shown, notes)
  end)
end

return M
