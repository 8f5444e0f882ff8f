--- include: room, ticket, presence, end-ticket, sweeping
--[[
  Marks away the waiting tickets that were not seen in time, wherever they stand, and expires those that have been away for
  too long. A server calls it about once a second while it takes heartbeats, and gives its word for that with the call.
  Each part is a function in includes/sweeping.lua.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 batch               most tickets one call may change (bounds the time Redis is blocked); 0 only gives the word
  Returns  { tickets marked away, tickets expired, 1 when there is more to do otherwise 0, seq }
  Log      attended, when no server took heartbeats for a while; expired and away, one entry each for all tickets
  Rules    L17 no_show · L60 away anywhere in the line · L62 silence counts only while servers take heartbeats
           L63 grace after admission has passed · L64 awaySeconds
]]
local batch = tonumber(ARGV[3])
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

attend(room)
local step = { left = batch, expired = {}, absent = {} }
begin_grace(room, step)
find_passed_too_long(room, step)
local is_complete = find_silent(room, step)
expire_many(room, step.expired, 'n', 'sweep')
mark_absent(room, step.absent)
save_room(room)
return { #step.absent, #step.expired, is_complete and step.left > 0 and 0 or 1, room.seq }
