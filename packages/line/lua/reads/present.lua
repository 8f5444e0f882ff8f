--- include: room, ticket
--[[
  Which tickets wait and are present, in order of their numbers: a page of them.

  Keys     the room's, see includes/keys.lua
  Args     1 epoch, 2 seen_seq   what the caller knows of the room
           3 from_number         the page begins with the chunk of this ticket
  Returns  { seq, number with which the next page begins or -1 after the last, { first number, generations, places, … } }
           generations: a byte for each ticket of a chunk, 0 unless the ticket is of class 0 and no group's, waits and
           is present
           places: one for each ticket, between commas, in a room whose draw is revealed; otherwise ''
  Log      nothing
  Rules    L70 a page has at most 8 chunks, so that it keeps Redis busy for less than a millisecond; a generation above 127 is 0
]]
-- Missing chunks are looked for, too: the numbers of a new epoch begin far behind those of the one before.
local CHUNKS_MAX, LOOKED_FOR_MAX, GENERATION_MAX = 8, 256, 127
local room, lost = open_room(ARGV[1], ARGV[2])
if lost then return lost end

local function generations(bytes)
  local codes = {}
  for index = 0, CHUNK_TICKETS - 1 do
    local generation = present_generation(bytes, index * RECORD_BYTES)
    codes[index + 1] = generation <= GENERATION_MAX and generation or 0
  end
  return string.char(unpack(codes))
end

local function places(bytes)
  if room.drawProgress ~= 'revealed' then return '' end
  local texts = {}
  for index = 0, CHUNK_TICKETS - 1 do texts[index + 1] = exact(place_in(bytes, index * RECORD_BYTES)) end
  return table.concat(texts, ',')
end

local first, last = chunk_of(tonumber(ARGV[3])), chunk_of(room.nextNumber - 1)
local chunk, found = first, {}
while chunk <= last and chunk - first < LOOKED_FOR_MAX and #found < CHUNKS_MAX * 3 do
  local bytes = call('GET', chunk_key(chunk))
  if bytes then
    found[#found + 1] = chunk * CHUNK_TICKETS
    found[#found + 1] = generations(bytes)
    found[#found + 1] = places(bytes)
  end
  chunk = chunk + 1
end
return { room.seq, chunk <= last and chunk * CHUNK_TICKETS or -1, found }
