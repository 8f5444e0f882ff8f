-- The seats of a reservation, as far as refunding needs them.
-- Params   $1 reservation_id uuid
-- Returns  a row for each: seatId, paid and fees as they were priced, refundId or null, returned, isUsed: a visitor was let
--          in with its e-ticket, isTransferred: that has another holder than the buyer
-- Locks    nothing: the caller holds the seat map, and the reservation's row against check-ins (lock-reservation.sql)
select item.seat_id as "seatId", item.price - item.discount + item.fees as paid, item.fees,
       item.refund_id as "refundId", item.returned,
       exists (select from etickets
                where etickets.reservation_id = item.reservation_id and etickets.seat_id = item.seat_id
                  and checked_in_at is not null) as "isUsed",
       exists (select from etickets
                 join reservations on reservations.id = etickets.reservation_id
                where etickets.reservation_id = item.reservation_id and etickets.seat_id = item.seat_id
                  and etickets.holder_id <> reservations.buyer_id) as "isTransferred"
  from reservation_items as item
 where item.reservation_id = $1::uuid
 order by item.seat_id
