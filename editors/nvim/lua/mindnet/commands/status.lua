--- `:Mindnet status`: what is indexed, and which parts are there.
local ask = require('mindnet.ask')
local say = require('mindnet.say')

local M = {}

local STATES = {
  starting = 'startet',
  indexing = 'wird indiziert',
  ready = 'bereit',
  error = 'Fehler',
  missing = 'fehlt',
  unavailable = 'nicht erreichbar',
  off = 'aus',
  unknown = 'unbekannt',
  none = 'keiner',
  new = 'neu',
  embedded = 'eingebettet',
}

--- A state of the server in the user's language.
---@param word string
---@return string
function M.state(word) return say(word, STATES[word] or word) end

--- The status as lines of text.
---@param status table
---@return string[]
function M.lines(status)
  local rows = {}
  local function row(en, de, text) table.insert(rows, { say(en, de), text }) end
  local index, store, embedding = status.index, status.store, status.embedding
  row('server', 'Server', status.version)
  row('vault', 'Vault', status.vault ~= '' and status.vault or say('none', 'keiner'))
  row('notes', 'Notizen', tostring(status.notes))
  row('unresolved', 'Links ins Leere', tostring(status.unresolved))
  row('chunks', 'Abschnitte', tostring(status.chunks))
  row('relations', 'Beziehungen', tostring(status.edges))
  local pending = (index.pending or 0) > 0 and (' (%d …)'):format(index.pending) or ''
  row('index', 'Index', M.state(index.state) .. pending)
  if index.last_error and index.last_error ~= vim.NIL then
    row('last error', 'letzter Fehler', index.last_error)
  end
  row('store', 'Speicher', M.state(store.mode) .. ', ' .. M.state(store.state))
  local model = embedding.model ~= '' and ' ' .. embedding.model or ''
  local provider = M.state(embedding.provider) .. model
  row('embedding', 'Embedding', provider .. ', ' .. M.state(embedding.state))
  local llm = status.llm.model ~= '' and status.llm.model .. ', ' or ''
  row('language model', 'Sprachmodell', llm .. M.state(status.llm.state))
  local width = 0
  for _, one in ipairs(rows) do width = math.max(width, vim.fn.strdisplaywidth(one[1])) end
  return vim.tbl_map(function(one)
    local pad = (' '):rep(width - vim.fn.strdisplaywidth(one[1]))
    return ' ' .. one[1] .. pad .. '  ' .. one[2]:gsub('\n', ' ')
  end, rows)
end

---@param given mindnet.Given
function M.run(given)
  ask.run('mindnet.status', { uri = ask.uri(given.buf) }, function(status)
    require('mindnet.float').open(M.lines(status), {
      title = 'mindnet',
      filetype = 'mindnet-status',
      note = given.buf,
    })
  end, { buf = given.buf, title = 'status' })
end

return M
