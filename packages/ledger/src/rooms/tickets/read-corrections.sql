-- Live tickets about which the ledger contradicts the log it has followed: the end of the log may be lost.
-- A ticket that paid has completed; one with a pending reservation is on the floor with it; all others have no seats.
-- Params   $1 room_id uuid
-- Returns  one row per ticket of which the log says something else, by ascending number; times in milliseconds
with facts as (
  select distinct on (ticket_number)
         ticket_number as number, status, fence,
         floor(extract(epoch from expires_at) * 1000)::bigint as expires_at,
         floor(extract(epoch from created_at) * 1000)::bigint as created_at,
         (select count(*) from reservation_items where reservation_id = reservations.id) as seats
    from reservations
   where room_id = $1::uuid and status in ('PENDING_PAYMENT', 'PAID')
   order by ticket_number, status desc -- a pending one before those that are paid
), doubtful as (
  select number from facts
   union
  select number from queue_entries where room_id = $1::uuid and reserved_seats > 0
), entries as (
  select entry.number, entry.state, entry.fence, entry.reserved_seats as seats,
         (extract(epoch from entry.deadline) * 1000)::bigint as deadline,
         (extract(epoch from entry.session_end) * 1000)::bigint as session_end
    from doubtful
    join queue_entries as entry on entry.room_id = $1::uuid and entry.number = doubtful.number
   where entry.state in ('waiting', 'admitted', 'active')
), corrected as (
  select entry.number, entry.state as "from",
         case when facts.status = 'PENDING_PAYMENT' then 'active' else entry.state end as state,
         greatest(entry.fence, facts.fence) as fence,
         coalesce(facts.expires_at, entry.session_end, entry.deadline) as deadline,
         -- Lost with the end of the log: the visitor entered before reserving, so the session ends no later than this.
         coalesce(entry.session_end, least(facts.expires_at, facts.created_at + session_ms)) as session_end,
         coalesce(facts.seats, 0) as quantity,
         entry.deadline as deadline_before, entry.fence as fence_before, entry.seats as seats_before
    from entries as entry
    left join facts using (number)
   cross join (select (settings ->> 'sessionSeconds')::bigint * 1000 as session_ms from rooms where id = $1::uuid) as room
   where facts.status is distinct from 'PAID'
)
select number, "from", state, fence, deadline, session_end as "sessionEnd", quantity
  from corrected
 where (state, fence, deadline, quantity) is distinct from ("from", fence_before, deadline_before, seats_before)
 union all
select entry.number, entry.state, 'completed', null, null, null, 0
  from entries as entry
  join facts using (number)
 where facts.status = 'PAID'
 order by number
