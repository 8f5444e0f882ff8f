-- Shows the holder of a ticket to those around, or no longer.
-- Params   $1 room_id uuid, $2 number bigint, $3 show_me boolean, $4 name text or null for the one given when joining
-- Returns  { name } of what is shown now, null when nothing is; no row when there is no such ticket, or no name to show
update queue_entries
   set shown = case when $3::boolean then jsonb_build_object('name', coalesce($4::text, name), 'avatar', avatar) end
 where room_id = $1::uuid and number = $2::bigint
   and (not $3::boolean or coalesce($4::text, name) is not null)
returning shown ->> 'name' as name
