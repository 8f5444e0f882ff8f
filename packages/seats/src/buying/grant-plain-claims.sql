-- Decide claims on event $1 that are plain, write them with all that follows from them, and close the seat map.
-- Plain    is a claim on seats that are free, under a key that was never used, by a ticket and a buyer who have nothing
--          here; the caller has seen to it that no two of them want the same. All others are left as they are.
-- Params   $1 event_id uuid, then one element for each wanted seat: $2 seat_ids uuid[], $3 reservation_ids uuid[],
--          $4 quantities int[], $5 buyer_ids uuid[], $6 room_ids uuid[], $7 ticket_numbers bigint[], $8 fences bigint[],
--          $9 actor_ids uuid[], $10 keys text[], $11 fingerprints text[], $12 hold_seconds int[].
--          The time is that of open-seat-map.sql
-- Returns  a row for each claim that was granted, in their order: id of the reservation, amount, currency, items as text
-- Locks    nothing that others wait for: open-seat-map.sql ran before in this transaction
-- Plans    one look into each index for each seat, whatever the planner believes: see read-claims.sql
-- News     that nobody wants to hear counts as handed out, as in write-reservations.sql
with moment as materialized (
  select version, at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as text
    from seat_maps, cast(current_setting('seatwise.at') as timestamptz) as at
   where event_id = $1::uuid
), free as materialized (
  select wanted.*, seat_type_id, price, currency, moment.at, text,
         moment.at + make_interval(secs => hold_seconds) as expires_at,
         row_number() over (claim order by ordinal) as nth,
         count(*) over claim = quantity as is_granted,
         sum(price) over claim as amount,
         jsonb_agg(item) over (claim order by ordinal rows between unbounded preceding and unbounded following) as items
    from unnest($2::uuid[], $3::uuid[], $4::int[], $5::uuid[], $6::uuid[], $7::bigint[], $8::bigint[], $9::uuid[],
                $10::text[], $11::text[], $12::int[])
         with ordinality as wanted (seat_id, id, quantity, buyer_id, room_id, ticket_number, fence, actor_id, key,
                                    fingerprint, hold_seconds, place)
   cross join moment
   cross join lateral (
           select seat_type_id, ordinal, price, currency,
                  jsonb_build_object('seatId', seat_id, 'seatTypeId', seat_type_id, 'row', row_label,
                                     'number', seat_number, 'price', price) as item
             from (select * from seats where id = seat_id offset 0) as seats
             join seat_types on seat_types.id = seat_type_id
            where seats.event_id = $1::uuid and status = 'available'
         ) as seat
   where not exists (select from operations where actor_id = wanted.actor_id and key = wanted.key offset 0)
     and not exists (
           select from reservations
            where room_id = wanted.room_id and ticket_number = wanted.ticket_number
              and (fence > wanted.fence or status in ('PENDING_PAYMENT', 'PAID'))
           offset 0)
     and not exists (
           select from queue_entries
            where room_id = wanted.room_id and number = wanted.ticket_number and fence > wanted.fence offset 0)
     and not exists (
           select from (select * from reservations where buyer_id = wanted.buyer_id offset 0) as theirs
            where event_id = $1::uuid and status in ('PENDING_PAYMENT', 'PAID') offset 0)
  window claim as (partition by id)
), granted as materialized (
  select *,
         jsonb_build_object(
           'id', id, 'eventId', $1::uuid, 'buyerId', buyer_id, 'status', 'PENDING_PAYMENT', 'items', items,
           'amount', amount, 'currency', currency, 'paidAt', null, 'createdAt', text, 'updatedAt', text,
           'expiresAt', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as answer
    from free
   where is_granted and nth = 1
), reserved as (
  insert into reservations (id, event_id, buyer_id, status, amount, currency, expires_at, room_id, ticket_number, fence,
                            created_at, updated_at)
  select id, $1::uuid, buyer_id, 'PENDING_PAYMENT', amount, currency, expires_at, room_id, ticket_number, fence, at, at
    from granted
), listed as (
  insert into reservation_items (reservation_id, seat_id, seat_type_id, price, reservation_status)
  select id, seat_id, seat_type_id, price, 'PENDING_PAYMENT'
    from free
   where is_granted
), taken as (
  update seats
     set status = 'held', reservation_id = free.id, held_until = expires_at
    from free
   where seats.id = free.seat_id and is_granted
), answered as (
  insert into operations (actor_id, key, fingerprint, status_code, answer, created_at)
  select actor_id, key, fingerprint, 201, answer, at
    from granted
), told as (
  insert into outbox (aggregatetype, aggregateid, type, payload, handed_at)
  select 'reservation', id, 'reservation.created',
         answer || jsonb_build_object('roomId', room_id, 'ticketNumber', ticket_number),
         (select at
            from moment
           where not exists (select from webhooks where types = '{}' or 'reservation.created' = any (types)))
    from granted
   order by place
), noted as (
  insert into seat_changes (event_id, version, at, changes, tickets)
  select $1::uuid, version + 1, at, changed.seats, (select array_agg(ticket_number order by place) from granted)
    from moment,
         (select jsonb_agg(jsonb_build_array(seat_id, 'held') order by place) as seats
            from free
           where is_granted) as changed
   where changed.seats is not null
), counted as (
  update seat_maps
     set version = version + 1, available = available - changed.seats, held = held + changed.seats
    from (select count(*) as seats from free where is_granted) as changed
   where event_id = $1::uuid and changed.seats > 0
)
select id, amount::bigint, currency, items::text as items
  from granted
 order by place
