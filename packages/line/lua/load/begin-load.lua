--- include: keys, settings
--[[
  Begins to load a room under a new epoch. The room stays invisible until finish-load.lua.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch   the new epoch
           2 state   JSON: settings, paused, message, opensAt, closesAt, joinsFrom, stock, heldSeats,
                     stockVersion, marks, reason, draw (progress, sealAfterMs, drawnBelow, line of the log or ''),
                     prices (a line of the log or '')
           3 next_number, 4 log_max, 5 follow_within_ms ('' for no bound), 6 to 9 last place of each class
           10 passed_place   the highest place that was admitted
           11 has_started   1 when the room drew a ticket before, otherwise 0
           12 rules   JSON, as the first entry of the log tells them
  Returns  'OK'
  Log      nothing
  Rules    L24 a room that is open under this epoch or a newer one is not touched
]]
local epoch = tonumber(ARGV[1])
local current = tonumber(call('GET', key.epoch) or -1)
if current >= epoch then return redis.error_reply('LINELOST other-epoch') end

call('HSET', key.room,
  'seq', 0, 'now', 0, 'trimmedSeq', 0, 'unfollowedSince', 0, 'loadedAt', 0, 'level', 0, 'refilledAt', 0,
  'admitted', 0, 'unreserved', 0, 'promised', 0, 'taken', 0, 'admissions', 0, 'changes', 0,
  'attendedAt', 0, 'attendedSince', 0, 'passedPlace', ARGV[10],
  'hasStarted', ARGV[11], 'nextNumber', ARGV[3], 'baseNumber', ARGV[3], 'logMax', ARGV[4],
  'lastPlace0', ARGV[6], 'lastPlace1', ARGV[7], 'lastPlace2', ARGV[8], 'lastPlace3', ARGV[9])
if ARGV[5] ~= '' then call('HSET', key.room, 'followWithinMs', ARGV[5]) end

local state = cjson.decode(ARGV[2])
set_state(state)
set_field('loadedVersion', state.stockVersion)
set_field('reason', state.reason)
set_field('rules', ARGV[12])
if state.draw ~= cjson.null then
  set_field('drawProgress', state.draw.progress)
  set_field('sealFrom', state.draw.sealAfterMs)
  set_field('drawnBelow', state.draw.drawnBelow)
  set_field('drawLine', state.draw.line)
end
if state.prices ~= '' then set_field('pricesLine', state.prices) end
for of_epoch, mark in pairs(state.marks) do set_field('mark:' .. of_epoch, mark) end
return 'OK'
