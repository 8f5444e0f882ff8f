--[[
  Names of a room's keys, in the order in which keys.ts lists them. All share one hash tag; all but `epoch` carry the
  epoch in their names. Every script is given all of them.
]]
local call = redis.call

local key = {
  epoch = KEYS[1], -- string: the epoch under which the room's state stands
  room = KEYS[2], -- hash: clock, counters, settings, bucket
  line = KEYS[3], -- zset: score = place, member = ticket number, packed, who waits and is present
  away = KEYS[4], -- zset: score = end of the grace time in ms since the load, member = ticket number, packed
  floor = KEYS[5], -- zset: score = deadline in ms, member = ticket number, packed
  passes = KEYS[6], -- hash: ticket number on the floor -> its pass, see includes/pass.lua
  ended = KEYS[7], -- zset: score = seq of the end, member = ticket number, packed
  tickets = KEYS[8], -- prefix of strings: records of fixed length, 256 to a string
  chunks = KEYS[9], -- hash: number of such a string -> how many tickets in it are known
  identities = KEYS[10], -- hash: end of an identity -> number of its latest known ticket, packed
  limits = KEYS[11], -- hash: limit key -> live tickets that share it
  limit_of = KEYS[12], -- hash: ticket number -> its limit key
  codes = KEYS[13], -- set: priority codes that were used
  shown = KEYS[14], -- hash: ticket number -> name and avatar, of those who agreed
  moves = KEYS[15], -- hash: ticket number -> operation of its latest move
  operations = KEYS[16], -- hash: answers of the last admissions and changes
  log = KEYS[17], -- stream: one entry for each step, its id being epoch-seq of the step's last change
  takes = KEYS[18], -- hash: ticket number -> its claims that are not settled, one a line
  take_ends = KEYS[19], -- zset: score = when the first of them returns, in ms, member = ticket number, packed
}
