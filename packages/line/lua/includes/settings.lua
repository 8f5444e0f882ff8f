--- include: keys
--[[
  Writes what an operator may set. Settings are stored twice: all together as JSON, for readers, and each in a field of its
  own, for the scripts.
]]
local STATE_FIELDS = { 'paused', 'held', 'message', 'opensAt', 'closesAt', 'joinsFrom', 'stock', 'heldSeats', 'stockVersion' }

local function field_value(value)
  if value == true then return 1 end
  if value == false then return 0 end
  return value
end

-- Sets a field, or removes it when the value is null.
local function set_field(field, value)
  if value == nil then return end
  if value == cjson.null then call('HDEL', key.room, field) else call('HSET', key.room, field, field_value(value)) end
end

local function set_settings(settings)
  local stored = call('HGET', key.room, 'settings')
  local whole_settings = stored and cjson.decode(stored) or {}
  for name, value in pairs(settings) do
    whole_settings[name] = value
    set_field(name, value)
  end
  call('HSET', key.room, 'settings', cjson.encode(whole_settings))
end

-- `state` has any of these fields, and settings.
local function set_state(state)
  for _, field in ipairs(STATE_FIELDS) do set_field(field, state[field]) end
  if state.settings then set_settings(state.settings) end
end
