--- include: room, ticket
--[[
  Gives drawn tickets their places while the line is sealed. Tickets that have ended since, or are forgotten, get none.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           then for each ticket: number, place
  Returns  1 while the line is sealed, otherwise 0: nothing was changed
  Log      nothing: the order follows from the log, and counts from the reveal on
  Rules    J7 bounded, and repeated without effect
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end
if room.drawProgress ~= 'sealed' then return 0 end

local scores = {}
for i = 3, #ARGV, 2 do
  local number = tonumber(ARGV[i])
  local state = state_of(number)
  if state == 'W' or state == 'Y' then
    write_place(number, tonumber(ARGV[i + 1]))
    scores[#scores + 1], scores[#scores + 2] = ARGV[i + 1], member_of(number)
  end
end
-- A ticket is in one of the two, and XX leaves it there.
write_many('ZADD', key.line, scores, 'XX')
write_many('ZADD', key.away, scores, 'XX')
save_room(room)
return 1
