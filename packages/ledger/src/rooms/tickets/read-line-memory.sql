-- What a line must remember beside its tickets.
-- Params   $1 room_id uuid, $2 drawn_below bigint: tickets below this number were drawn, 0 without a draw
-- Returns  one row: "lastPlaces" of the four classes, "passedPlace" (the highest that was admitted, or null),
--          "usedCodes", "earlierCodes" (lists, of tickets that used several), "hasStarted" (a ticket was drawn), "marks" of the epochs that ended
select json_build_array(
         coalesce(max(place) filter (where class = 0), 0),
         -- Later tickets of a class stand behind the drawn ones of the higher classes, too.
         coalesce(max(place) filter (where class = 1 or class > 1 and number < $2::bigint), '-1e15'),
         coalesce(max(place) filter (where class = 2 or class > 2 and number < $2::bigint), '-1e15'),
         coalesce(max(place) filter (where class = 3), '-1e15')
       ) as "lastPlaces",
       max(place) filter (where admitted_at is not null) as "passedPlace",
       coalesce(json_agg(code) filter (where code is not null), '[]') as "usedCodes",
       coalesce(json_agg(earlier_codes) filter (where earlier_codes is not null), '[]') as "earlierCodes",
       count(*) > 0 as "hasStarted",
       (select coalesce(json_agg(json_build_object('epoch', epoch, 'mark', mark, 'firstNumber', first_number)), '[]')
          from room_epochs
         where room_id = $1::uuid and mark is not null) as marks
  from queue_entries
 where room_id = $1::uuid
