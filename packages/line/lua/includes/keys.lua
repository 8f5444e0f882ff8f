--[[
  Names of a room's keys, in the order in which keys.ts lists them. All share one hash tag; all but `epoch` carry the
  epoch in their names (L36). Every script gets all of them.
]]
local call = redis.call

local key = {
  epoch = KEYS[1], -- string: the current epoch of the room
  room = KEYS[2], -- hash: clock, counters, settings, bucket
  line = KEYS[3], -- zset: waiting and present tickets, score = place, member = ticket number, packed
  away = KEYS[4], -- zset: away tickets that admission has not passed, score = place, member = ticket number, packed
  floor = KEYS[5], -- zset: tickets on the floor, score = deadline in ms, member = ticket number, packed
  passes = KEYS[6], -- hash: ticket number on the floor -> its pass, see includes/pass.lua
  ended = KEYS[7], -- zset: ended tickets not trimmed yet, score = seq of the end, member = ticket number, packed
  tickets = KEYS[8], -- prefix of strings: records of fixed length, 256 to a string
  chunks = KEYS[9], -- hash: number of such a string -> how many known tickets it has
  identities = KEYS[10], -- hash: end of an identity -> number of its latest known ticket, packed
  limits = KEYS[11], -- hash: limit key -> live tickets that share it
  limit_of = KEYS[12], -- hash: ticket number -> its limit key
  codes = KEYS[13], -- set: used priority codes
  shown = KEYS[14], -- hash: ticket number -> name and avatar, if the visitor agreed to show them
  moves = KEYS[15], -- hash: ticket number -> operation of its latest move
  operations = KEYS[16], -- hash: answers of the last admissions and changes, see includes/remember.lua
  log = KEYS[17], -- stream: one entry for each step, its id being epoch-seq of the step's last change
  takes = KEYS[18], -- hash: ticket number -> its unsettled claims, one a line
  take_ends = KEYS[19], -- zset: score = when the first of these returns, in ms, member = ticket number, packed
  passed = KEYS[20], -- zset: away tickets that admission has passed, score = end of the grace time in ms since the load
  oldest_waiting = KEYS[21], -- zset: number of a string of records -> no waiting ticket in it was last seen before this
  oldest_away = KEYS[22], -- zset: the same for its away tickets
  spent = KEYS[23], -- zset: what was good for one ticket and is spent, score = until when it is remembered, in ms
  groups = KEYS[24], -- hash: number of a visitor who stands with a group -> number of its ticket; 'm' and that -> those visitors
}
