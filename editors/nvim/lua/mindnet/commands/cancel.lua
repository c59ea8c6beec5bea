--- `:Mindnet cancel`: give up what is being asked.
local M = {}

function M.run()
  local say = require('mindnet.say')
  if require('mindnet.ask').cancel() == 0 then
    say.info('nothing is going on', 'es läuft nichts')
  else
    say.info('cancelled', 'abgebrochen')
  end
end

return M
