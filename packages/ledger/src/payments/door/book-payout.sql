-- Book that money of a sale at the door was given back by hand.
-- Params   $1 purchase_id uuid, $2 amount bigint, $3 at timestamptz
-- Returns  nothing. Nothing is booked for a purchase that is not in the till's book
-- Locks    nothing that others wait for: the caller holds the seat map's lock
insert into door_payouts (purchase_id, amount, paid_by, paid_at)
select purchase_id, $2::bigint,
       -- Who asked for the refund is in the trail, written before by the transaction that decided it.
       (select actor_id
          from operator_actions
         where operator_actions.event_id = door_sales.event_id and kind = 'purchase.refunded'
           and subject = $1::uuid::text
         order by id desc
         limit 1),
       $3::timestamptz
  from door_sales
 where purchase_id = $1::uuid
