-- Lock a reservation against check-ins with its e-tickets, see lock-paid.sql.
-- Params   $1 reservation_id uuid
-- Returns  nothing of use
-- Locks    the reservation's row, after the seat map's
select from reservations where id = $1::uuid for no key update
