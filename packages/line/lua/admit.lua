--- include: room, ticket, end-ticket, presence, pass, takes, bucket, remember, admission
--[[
  Clears the floor, the away and the takes of those whose time is over, then lets in as many from the head of the line as capacity,
  rate and stock allow. Safe to call at any time, by anybody.

  Keys   those of the room, see includes/keys.lua
  Args   1 epoch, 2 seen_seq   what the caller knows of the room
         3 batch               most tickets one call may touch (bounds the time we block Redis)
         4 operation           the same again answers as the first time
  Reply  lines: 'heldBy more waiting floor unreserved nextAt seq now', then for each ticket
         'admitted number class fence deadline waitedMs', 'ended number reason' or 'away number'
  Holds  M1 capacity · M2 rate · M3 stock · M4 by place · M5 the absent cost nothing · M6 batch · M7 reasons to hold
         M8 deadlines · M9 no claim window · M15, M16 sold out and closed · M18 nextAt · M19 unfollowed · M23 takes return · L17 · L33
]]
local batch, operation = tonumber(ARGV[3]), ARGV[4]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end
local answered = remembered('admit', operation)
if answered then return answered end

local step = { left = batch, operation = operation, lines = {} }
expire_floor(room, step)
expire_away(room, step)
step.left = step.left - return_takes(room, step.left)
expire_line(room, step)
local held_by = reason_to_hold(room)
refill_bucket(room)
if not held_by then admit_from_head(room, step) end

local more = step.left == 0 and has_work(room, held_by)
table.insert(step.lines, 1, table.concat({
  held_by or '-', more and 1 or 0, call('ZCARD', key.line), call('ZCARD', key.floor), room.unreserved,
  more and room.now or next_at(room, held_by), room.seq, room.now,
}, ' '))
local answer = table.concat(step.lines, '\n')

if #room.lines > 0 then
  remember('admit', operation, answer, room.admissions)
  room.admissions = room.admissions + 1
end
save_room(room)
return answer
