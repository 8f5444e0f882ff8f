--[[
  Be the one server that publishes a room, or find out that another one is.

  Keys   1 lease      string: the server that publishes
         2 published  string: "epoch-seq" up to which it has published
  Args   1 server     who asks
         2 lease_ms   for how long it will be the one, unless it asks again
         3 progress   how far it has published; '' when it was not the one before
  Reply  { 1 or 0: whether it is the one, "epoch-seq" as known, '' when nothing is }
  Holds  at most one server at a time has the lease
]]
local lease, published = KEYS[1], KEYS[2]
local server, lease_ms, progress = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local holder = redis.call('GET', lease)
if holder and holder ~= server then
  return { 0, '' }
end
redis.call('SET', lease, server, 'PX', lease_ms)
if progress ~= '' then
  redis.call('SET', published, progress, 'EX', 86400)
end
return { 1, redis.call('GET', published) or '' }
