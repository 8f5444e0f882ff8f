--[[
  Record how many visitors watch a room on one server, and return how many do on all of them.

  Keys   1 viewers    hash: server → "count until", until in ms
  Args   1 server     the reporting server
         2 count      how many watch there; 0 takes the server out
         3 silent_ms  a server that has reported nothing for this long is not counted
  Reply  the sum over all servers
  Holds  the hash has no more fields than there were servers within `silent_ms`, and ends with the last of them
]]
local viewers = KEYS[1]
local server, count, silent_ms = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)

if count > 0 then
  redis.call('HSET', viewers, server, count .. ' ' .. (now_ms + silent_ms))
  redis.call('PEXPIRE', viewers, silent_ms)
else
  redis.call('HDEL', viewers, server)
end

local sum = 0
local fields = redis.call('HGETALL', viewers)
for i = 1, #fields, 2 do
  local other, until_ms = string.match(fields[i + 1], '^(%d+) (%d+)$')
  if tonumber(until_ms) > now_ms then
    sum = sum + tonumber(other)
  else
    redis.call('HDEL', viewers, fields[i])
  end
end
return sum
