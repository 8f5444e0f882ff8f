--- include: room, ticket
--[[
  Ends the draw of a sealed line: the drawn order counts from here on.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 to 5                last place among the drawn of the classes 1, 2 and 3
           6 line                of the log
  Returns  seq
  Log      revealed, once
  Rules    J8 from here on tickets are admitted; later ones of a class stand behind the drawn ones of it
]]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

if room.drawProgress == 'sealed' then
  room.drawProgress = 'revealed'
  room.lastPlace1, room.lastPlace2, room.lastPlace3 = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
  append(room, 'reveal', ARGV[6])
end
save_room(room)
return room.seq
