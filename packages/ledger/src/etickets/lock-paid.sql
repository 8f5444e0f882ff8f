-- Lock the reservation of an e-ticket, so that letting its holder in and refunding it happen one after the other.
-- Params   $1 eticket_id uuid
-- Returns  nothing of use; the caller reads in a statement of its own, which sees what was committed meanwhile
-- Locks    the reservation's row, as refund-purchase.ts does after the seat map's lock
select from reservations
 where id = (select reservation_id from etickets where id = $1::uuid)
   for no key update
