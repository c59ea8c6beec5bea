--- `:Mindnet dismissed`: what is not suggested for this note any more; the chosen one is again.
local ask = require('mindnet.ask')
local given_ = require('mindnet.given')
local say = require('mindnet.say')

local M = {}

---@param given mindnet.Given
function M.run(given)
  local uri = given_.note(given)
  if not uri then return end
  ask.run('mindnet.dismissedSuggestions', { uri = uri }, function(answer)
    if #answer.dismissed == 0 then
      say.info('nothing was dismissed here', 'hier wurde nichts verworfen')
      return
    end
    local function name(one) return one.target_title or one.target_note_id end
    vim.ui.select(answer.dismissed, {
      prompt = say('Suggest again', 'Wieder vorschlagen'),
      kind = 'mindnet.dismissed',
      format_item = name,
    }, function(one)
      if not one then return end
      local arguments = { uri = uri, target_note_id = one.target_note_id }
      ask.run('mindnet.restoreSuggestion', arguments, function()
        say.info(name(one) .. ' is suggested again', name(one) .. ' wird wieder vorgeschlagen')
      end, { buf = given.buf })
    end)
  end, { buf = given.buf })
end

return M
