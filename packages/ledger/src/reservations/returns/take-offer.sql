-- An offer is accepted: its reservation belongs to the buyer, who gets the usual time to pay.
-- Params   $1 offer_id uuid, $2 buyer_id uuid, $3 expires_at timestamptz, $4 at timestamptz
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
with taken as (
  update offers set accepted_by = $2::uuid where id = $1::uuid and accepted_by is null returning reservation_id
)
update reservations
   set buyer_id = $2::uuid, expires_at = $3::timestamptz, updated_at = $4::timestamptz
  from taken
 where reservations.id = taken.reservation_id
