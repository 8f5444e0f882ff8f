-- Correct what the followed log left of live tickets by what the ledger knows better: the end of the log may be lost.
-- Whoever paid has completed; whoever has a pending reservation is on the floor with it; nobody else has seats.
-- Params   $1 room_id uuid
-- Returns  number of each ticket corrected
-- Locks    those tickets; the caller holds the room's row
with facts as (
  select distinct on (ticket_number)
         ticket_number as number, status, fence, created_at, expires_at, paid_at,
         (select count(*) from reservation_items where reservation_id = reservations.id) as seats
    from reservations
   where room_id = $1::uuid and status in ('PENDING_PAYMENT', 'PAID')
   order by ticket_number, status desc -- a pending one before those that are paid
), doubtful as (
  select number from facts
   union
  select number from queue_entries where room_id = $1::uuid and reserved_seats > 0
)
update queue_entries as entry
   set state          = case facts.status when 'PAID' then 'completed' when 'PENDING_PAYMENT' then 'active' else state end,
       ended_at       = case when facts.status = 'PAID' then facts.paid_at else ended_at end,
       away           = away and facts.status is null,
       fence          = greatest(entry.fence, facts.fence),
       admitted_at    = coalesce(admitted_at, facts.created_at),
       claimed_at     = coalesce(claimed_at, facts.created_at),
       reserved_seats = case when facts.status = 'PENDING_PAYMENT' then facts.seats else 0 end,
       session_end    = coalesce(session_end, facts.expires_at),
       deadline       = case facts.status when 'PENDING_PAYMENT' then facts.expires_at when 'PAID' then deadline
                                          else coalesce(session_end, deadline) end
  from doubtful
  left join facts using (number)
 where entry.room_id = $1::uuid and entry.number = doubtful.number
   and entry.state in ('waiting', 'admitted', 'active')
returning entry.number
