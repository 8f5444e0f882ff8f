-- Whether an e-ticket of a reservation was used.
-- Params   $1 reservation_id uuid
-- Returns  one row: isUsed
-- Locks    nothing: the caller holds the reservation's row, see lock-reservation.sql
select exists (select from etickets where reservation_id = $1::uuid and checked_in_at is not null) as "isUsed"
