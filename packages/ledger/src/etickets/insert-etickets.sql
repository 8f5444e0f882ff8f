-- Write e-tickets of reservations that are paid for in this transaction.
-- Params   $1 event_id uuid, $2 issued_at timestamptz; one element for each: $3 ids uuid[], $4 reservation_ids uuid[],
--          $5 seat_ids uuid[], $6 short_codes text[]
-- Returns  nothing
-- Holds    only a reservation that is PAID gets some, one for each of its seats: constraints refuse others
insert into etickets (id, reservation_id, seat_id, event_id, issued_at, short_code)
select id, reservation_id, seat_id, $1::uuid, $2::timestamptz, short_code
  from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[]) as issued (id, reservation_id, seat_id, short_code)
