-- The events with ids $1, whole, in that order; unknown ids are left out.
-- Params   $1 event_ids uuid[]
-- Returns  one row per event; seat_types as a JSON list in the organiser's order
-- Counts   what is left, instead of keeping a counter that could drift; an expired hold counts as free
select events.id, organizer_id, events.organization_id, events.name, code, description, location, time_zone, starts_at, ends_at,
       doors_at, age_min,
       presale_start_at, sales_start_at, sales_end_at, events.state, refunds_until, tax_rate, fees, after, shapes, checkout, additional_info,
       events.created_at, events.updated_at,
       rooms.id as room_id, rooms.settings, rooms.paused, rooms.message,
       images.hash as image_hash, images.width as image_width, images.height as image_height,
       images.alt as image_alt, images.focus_x as image_focus_x, images.focus_y as image_focus_y,
       hosts.name as host_name, hosts.slug as host_slug, hosts.colour as host_colour, hosts.face as host_face,
       logos.hash as logo_hash, logos.width as logo_width, logos.height as logo_height,
       types.list as seat_types
  from unnest($1::uuid[]) with ordinality as wanted (id, place)
  join events on events.id = wanted.id
  join rooms on rooms.event_id = events.id
  join organizations as hosts on hosts.id = events.organization_id
  left join organization_logos as logos on logos.organization_id = hosts.id
  left join event_images as images on images.event_id = events.id
 cross join lateral (
         select json_agg(
                  json_build_object(
                    'id', seat_types.id, 'name', name, 'description', description, 'price', price,
                    'variants', variants, 'hidden', hidden,
                    'currency', currency, 'reservedSeating', reserved_seating, 'rows', layout, 'area', area,
                    'totalQuantity', coalesce(total, 0), 'remaining', coalesce(remaining, 0))
                  order by position) as list
           from seat_types
           left join (
                  select seat_type_id,
                         count(*) as total,
                         count(*) filter (
                           where status = 'available' or (status = 'held' and held_until <= now())) as remaining
                    from seats
                   where seats.event_id = wanted.id and not retired
                   group by seat_type_id
                ) as counted on counted.seat_type_id = seat_types.id
          where seat_types.event_id = wanted.id
       ) as types
 order by wanted.place
