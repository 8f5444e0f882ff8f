-- Decide claims on event $1 that are plain, write them with all that follows from them, and close the seat map.
-- Plain    is a claim on seats that are free, under a key that was never used, by a ticket and a buyer who have nothing
--          here and were not adopted; the caller has seen to it that no two of them want the same. All others are left as
--          they are.
-- Params   $1 event_id uuid, $2 room_id uuid, $3 hold_seconds int, then one element for each wanted seat:
--          $4 seat_ids uuid[], $5 reservation_ids uuid[], $6 quantities int[], $7 buyer_ids uuid[],
--          $8 ticket_numbers bigint[], $9 fences bigint[], $10 keys text[], $11 fingerprints text[], under which buyers
--          themselves asked. The time is that of open-seat-map.sql
-- Returns  one row: how the buyers are shown their reservations, a line for each claim that was granted, in their order;
--          null when none was. A row for each would cost both sides more than what is in it
-- Locks    nothing that others wait for: open-seat-map.sql ran before in this transaction
-- Plans    one look into each index for each seat, whatever the planner believes: see read-claims.sql
-- News     that no webhook subscribes to gets its handed_at at once, as in write-reservations.sql
-- JSON     is put together as text, and what all claims share only once: a fifth of the time
with moment as materialized (
  select version, at, expires_at,
         concat('","eventId":"', event_id, '","status":"PENDING_PAYMENT","items":[') as opening,
         concat('","expiresAt":"', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                '","paidAt":null,"createdAt":"', text, '","updatedAt":"', text, '"') as ending,
         (select at where not exists (select from webhooks where types = '{}' or 'reservation.created' = any (types)))
           as handed_at
    from seat_maps,
         cast(current_setting('seatwise.at') as timestamptz) as at,
         to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as text,
         cast(at + make_interval(secs => $3::int) as timestamptz) as expires_at
   where event_id = $1::uuid
), free as materialized (
  select wanted.*, seat_type_id, price, currency,
         row_number() over claim as nth,
         count(*) over claim = quantity as is_granted,
         cast(sum(price) over claim as bigint) as amount,
         string_agg(item, ',') over claim as items
    from unnest($4::uuid[], $5::uuid[], $6::int[], $7::uuid[], $8::bigint[], $9::bigint[], $10::text[], $11::text[])
         with ordinality as wanted (seat_id, id, quantity, buyer_id, ticket_number, fence, key, fingerprint, place)
   cross join lateral (
           select seat_type_id, ordinal, price, currency,
                  concat('{"seatId":"', seat_id, '","seatTypeId":"', seat_type_id,
                         '","row":', coalesce(cast(to_json(row_label) as text), 'null'),
                         ',"number":', coalesce(cast(seat_number as text), 'null'), ',"price":', price, '}') as item
             from (select * from seats where id = seat_id offset 0) as seats
             join seat_types on seat_types.id = seat_type_id
            where seats.event_id = $1::uuid and status = 'available'
         ) as seat
   where not exists (select from adoptions where guest_id = wanted.buyer_id offset 0)
     and not exists (select from operations where actor_id = wanted.buyer_id and key = wanted.key offset 0)
     and not exists (
           select from reservations
            where room_id = $2::uuid and ticket_number = wanted.ticket_number
              and (fence > wanted.fence or status in ('PENDING_PAYMENT', 'PAID'))
           offset 0)
     and not exists (
           select from queue_entries
            where room_id = $2::uuid and number = wanted.ticket_number and fence > wanted.fence offset 0)
     and not exists (
           select from (select * from reservations where buyer_id = wanted.buyer_id offset 0) as theirs
            where event_id = $1::uuid and status in ('PENDING_PAYMENT', 'PAID') offset 0)
  window claim as (partition by id order by ordinal rows between unbounded preceding and unbounded following)
), granted as materialized (
  select free.*, at, expires_at, handed_at,
         -- As it is shown, but not closed yet: the ledger and the news say a little more.
         concat('{"id":"', id, opening, items, '],"amount":', amount, ',"currency":"', currency, ending) as shown
    from free, moment
   where is_granted and nth = 1
), reserved as (
  insert into reservations (id, event_id, buyer_id, status, amount, currency, expires_at, room_id, ticket_number, fence,
                            created_at, updated_at)
  select id, $1::uuid, buyer_id, 'PENDING_PAYMENT', amount, currency, expires_at, $2::uuid, ticket_number, fence, at, at
    from granted
), listed as (
  insert into reservation_items (reservation_id, seat_id, seat_type_id, price, reservation_status)
  select id, seat_id, seat_type_id, price, 'PENDING_PAYMENT'
    from free
   where is_granted
), taken as (
  update seats
     set status = 'held', reservation_id = free.id, held_until = expires_at
    from free, moment
   where seats.id = free.seat_id and is_granted
), answered as (
  insert into operations (actor_id, key, fingerprint, status_code, answer, created_at)
  select buyer_id, key, fingerprint, 201, cast(concat(shown, ',"buyerId":"', buyer_id, '"}') as json), at
    from granted
), told as (
  insert into outbox (aggregatetype, aggregateid, type, payload, handed_at)
  select 'reservation', id, 'reservation.created',
         cast(concat(shown, ',"buyerId":"', buyer_id, '","roomId":"', $2::uuid, '","ticketNumber":', ticket_number, '}')
              as json),
         handed_at
    from granted
   order by place
), noted as (
  insert into seat_changes (event_id, version, at, changes)
  select $1::uuid, version + 1, at, changed.seats
    from moment,
         (select cast('[' || string_agg(concat('["', seat_id, '","held"]'), ',' order by place) || ']' as json) as seats
            from free
           where is_granted) as changed
   where changed.seats is not null
), counted as (
  update seat_maps
     set version = version + 1, available = available - changed.seats, held = held + changed.seats
    from (select count(*) as seats from free where is_granted) as changed
   where event_id = $1::uuid and changed.seats > 0
)
select string_agg(shown || '}', E'\n' order by place) as shown
  from granted
