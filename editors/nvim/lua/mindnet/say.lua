--- The language of all messages, and how they are shown.
local M = setmetatable({}, {
  --- The text in the user's language: `say('yes', 'ja')`.
  __call = function(self, en, de) return self.locale() == 'de' and de or en end,
})

--- The setting `mindnet.locale` of the server, as the client or its configuration has it.
local function setting()
  local client = vim.lsp.get_clients({ name = 'mindnet' })[1]
  local settings = client and client.settings or (vim.lsp.config.mindnet or {}).settings or {}
  return vim.tbl_get(settings, 'mindnet', 'locale')
end

--- The language of Neovim's own messages; where it has none, that of the environment.
local function of_vim()
  local tag = vim.v.lang
  if tag == '' or tag:find('^C%f[%W]') or tag == 'POSIX' then
    for _, name in ipairs({ 'LC_ALL', 'LC_MESSAGES', 'LANG' }) do
      local value = vim.env[name]
      if value and value ~= '' then return value end
    end
  end
  return tag
end

--- Asked anew for every message, as settings change at any time.
---@return 'de'|'en'
function M.locale()
  for _, tag in ipairs({ setting() or '', vim.env.MINDNET_LOCALE or '' }) do
    if tag == 'de' or tag == 'en' then return tag end
  end
  return of_vim():lower():find('^de%f[%A]') and 'de' or 'en'
end

local function notify(level, text) vim.notify('mindnet: ' .. text, level) end

function M.info(en, de) notify(vim.log.levels.INFO, M(en, de or en)) end

function M.warn(en, de) notify(vim.log.levels.WARN, M(en, de or en)) end

function M.error(en, de) notify(vim.log.levels.ERROR, M(en, de or en)) end

--- A number as people write it: `0.82`, `0,82`.
---@param number number
function M.score(number)
  local text = ('%.2f'):format(number)
  return M(text, (text:gsub('%.', ',')))
end

return M
