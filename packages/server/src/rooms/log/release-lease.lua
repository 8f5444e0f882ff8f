--[[
  Give a lease up, so that another server need not wait until it expires.

  Keys   1 lease   string: the server that holds it
  Args   1 server  the server that gives it up
  Reply  1 if the server held the lease, else 0
  Holds  a server never releases the lease of another
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
