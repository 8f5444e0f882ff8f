--[[
  Take or renew a lease: one server at a time does a piece of work for a room.

  Keys   1 lease     string: the server that holds it
         2 progress  string: "epoch-seq" up to which the work is done
  Args   1 server    the server that asks
         2 lease_ms  the lease expires after this time unless the server renews it
         3 progress  how far the server got; '' stores nothing
  Reply  { 1 or 0: whether the server holds the lease, stored progress or '' }
  Holds  at most one server at a time holds the lease
]]
local lease, stored = KEYS[1], KEYS[2]
local server, lease_ms, progress = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local holder = redis.call('GET', lease)
if holder and holder ~= server then
  return { 0, '' }
end
redis.call('SET', lease, server, 'PX', lease_ms)
if progress ~= '' then
  redis.call('SET', stored, progress, 'EX', 86400)
end
return { 1, redis.call('GET', stored) or '' }
