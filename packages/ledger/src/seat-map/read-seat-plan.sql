-- A page of the seats of event $1, in the order of the plan.
-- Params   $1 event_id uuid, $2 after_ordinal int, $3 result_max int
-- Returns  one row: seats, a JSON list of [ordinal, id, seat type id, row, along, status, accessible]
select coalesce(json_agg(json_build_array(ordinal, id, seat_type_id, row_label, along, status, accessible)
         order by ordinal), '[]') as seats
  from (select ordinal, id, seat_type_id, row_label, along, status, accessible
          from seats
         where event_id = $1::uuid and ordinal > $2 and not retired
         order by ordinal
         limit $3) as page
