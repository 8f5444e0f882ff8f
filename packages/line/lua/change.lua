--- include: room, bucket, settings, remember
--[[
  Changes settings, pause, message or sale window.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 operation           repeated, it changes nothing
           4 change              JSON of the changed fields and the operator (`by`); '' when no field is given
  Returns  seq after the change
  Log      changed
  Rules    L33 once for each operation · M17 the bucket is refilled at the old rate first
]]
local operation, change = ARGV[3], ARGV[4]
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end
local answered = remembered('change', operation)
if answered then return tonumber(answered) end

local function apply(state)
  set_state(state)
  local rate_or_burst = state.settings and (state.settings.ratePerMinute or state.settings.burst)
  if not rate_or_burst then return end
  refill_bucket(room)
  room.burst = state.settings.burst or room.burst
  room.level = math.min(room.level, room.burst * TOKEN)
end

if change ~= '' then
  apply(cjson.decode(change))
  append(room, operation, 'changed\t' .. change)
end

remember('change', operation, room.seq, room.changes)
room.changes = room.changes + 1
save_room(room)
return room.seq
