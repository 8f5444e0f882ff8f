--- include: room, ticket, end-ticket, presence, pass, takes, bucket, remember, admission
--[[
  Expires overdue tickets, returns overdue takes, then admits as many tickets from the head of the line as capacity, rate
  and stock allow. Any server may call it at any time. Each part is a function in includes/admission.lua.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 batch               most tickets one call may touch (bounds the time Redis is blocked)
           4 operation           repeated, it gives its first answer
           5 operator_count      most tickets an operator lets in now, past the rate; '' for the usual admission
  Returns  lines: 'heldBy more waiting floor unreserved nextAt seq now', then for each ticket
           'admitted number class fence deadline waitedMs', 'ended number reason' or 'away number'
  Log      expired, away, admitted: one for each ticket touched
  Rules    M1 capacity · M2 rate · M3 stock · M4 by place · M5 away tickets cost nothing · M6 batch
           M7 reasons to hold · M8 deadlines · M9 claimSeconds 0 · M15 sold out · M16 sale ended · M18 nextAt
           M19 unfollowed log · M23 overdue takes return · M29 an operator's count · L33 repeated operations
]]
local batch, operation = tonumber(ARGV[3]), ARGV[4]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end
local answered = remembered('admit', operation)
if answered then return answered end

-- Expire what is overdue, so that slots, places and seats are free before they are counted.
local step = {
  left = batch, operation = operation, operator_count = tonumber(ARGV[5]), lines = {}, absent = {},
}
expire_floor(room, step)
step.left = step.left - return_takes(room, step.left)
expire_line(room, step)

-- Admit from the head of the line.
local held_by = reason_to_hold(room)
refill_bucket(room)
if not held_by then admit_from_head(room, step) end

-- Tell the caller what was done and when to call again.
local more = step.left == 0 and has_work(room, step, held_by)
table.insert(step.lines, 1, table.concat({
  held_by or '-', more and 1 or 0, call('ZCARD', key.line), call('ZCARD', key.floor), room.unreserved,
  more and room.now or next_at(room, held_by), room.seq, room.now,
}, ' '))
local answer = table.concat(step.lines, '\n')

-- A step that changed nothing is safe to run again, so its answer is not kept.
if #room.lines > 0 then
  remember('admit', operation, answer, room.admissions)
  room.admissions = room.admissions + 1
end
save_room(room)
return answer
