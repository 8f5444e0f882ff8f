--- include: room
--[[
  Opens a room that is being loaded: it has begun, and no other state stands under its epoch or a newer one (L24).
]]
-- Returns the room, or nil and the error to answer with.
local function open_loading(epoch)
  if tonumber(call('GET', key.epoch) or -1) >= tonumber(epoch) then
    return nil, redis.error_reply('LINELOST other-epoch')
  end
  local room = read_room(epoch)
  if not room then return nil, redis.error_reply('LINELOST missing') end
  return room
end
