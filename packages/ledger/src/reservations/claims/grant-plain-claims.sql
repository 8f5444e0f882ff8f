-- Decide claims on event $1 that are plain, write them with all that follows from them, and close the seat map.
-- Plain    is a claim without a code on free seats of one type that is not hidden and has no variants, in an event
--          without fees that is not in its presale, under a key that was never used, by a ticket and a buyer who have nothing
--          here and were not adopted; the caller has seen to it that no two of them want the same. All others are left as
--          they are.
-- Params   $1 event_id uuid, $2 room_id uuid, $3 hold_seconds int, then one element for each wanted seat:
--          $4 seat_ids uuid[], $5 reservation_ids uuid[], $6 quantities int[], $7 buyer_ids uuid[],
--          $8 ticket_numbers bigint[], $9 fences bigint[], $10 keys text[], $11 fingerprints text[], under which buyers
--          themselves asked. The time is that of open-seat-map.sql
-- Returns  one row: the reservations of the claims that were granted, in their order, as a JSON list
-- Locks    nothing that others wait for: open-seat-map.sql ran before in this transaction
-- Plans    one look into each index for each seat, whatever the planner believes: see read-claims.sql
-- News     that no webhook subscribes to gets its handed_at at once, as in write-reservations.sql
with moment as materialized (
  select version, at, expires_at, tax_rate,
         to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created,
         to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as expires,
         (select at where not exists (select from webhooks where types = '{}' or 'reservation.created' = any (types)))
           as handed_at
    from seat_maps
    join events on events.id = event_id,
         cast(current_setting('seatwise.at') as timestamptz) as at,
         cast(at + make_interval(secs => $3::int) as timestamptz) as expires_at
   where event_id = $1::uuid
), free as materialized (
  select wanted.*, seat_type_id, price, currency, name,
         row_number() over claim as nth,
         count(*) over claim = quantity and min(position) over claim = max(position) over claim as is_granted,
         cast(sum(price) over claim as bigint) as amount,
         json_agg(item) over claim as items
    from unnest($4::uuid[], $5::uuid[], $6::int[], $7::uuid[], $8::bigint[], $9::bigint[], $10::text[], $11::text[])
         with ordinality as wanted (seat_id, id, quantity, buyer_id, ticket_number, fence, key, fingerprint, place)
   cross join lateral (
           select seat_type_id, ordinal, price, currency, position, name,
                  json_build_object('seatId', seat_id, 'seatTypeId', seat_type_id, 'row', row_label,
                                    'number', seat_number, 'price', price, 'variantId', null, 'paid', price) as item
             from (select * from seats where id = seat_id offset 0) as seats
             join seat_types on seat_types.id = seat_type_id
            where seats.event_id = $1::uuid and status = 'available' and variants = '[]' and not hidden
         ) as seat
   where exists (
           select from events
            where id = $1::uuid and fees = '[]' and state = 'published'
              and (presale_start_at is null or sales_start_at <= current_setting('seatwise.at')::timestamptz)
           offset 0)
     and not exists (select from adoptions where guest_id = wanted.buyer_id offset 0)
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
  select free.*, taxed.tax, listed.lines, at, expires_at, handed_at,
         row_to_json(answer) as answer, row_to_json(news) as news
    from free, moment,
         -- Rounded half up; the parts are whole numbers, so this is exact: see taxIn.
         lateral (select (2 * amount * tax_rate + 100000 + tax_rate) / (2 * (100000 + tax_rate)) as tax) as taxed,
         lateral (select case amount
                           when 0 then '[]'
                           else json_build_array(json_build_object(
                                  'kind', 'seat', 'name', name, 'quantity', quantity, 'unitPrice', price,
                                  'amount', amount, 'tax', tax))
                         end as lines) as listed,
         lateral (select id, $1::uuid as "eventId", buyer_id as "buyerId", 'PENDING_PAYMENT' as status, items, lines,
                         tax, amount, currency, expires as "expiresAt", null as "paidAt", created as "createdAt",
                         created as "updatedAt") as answer,
         lateral (select answer.*, $2::uuid as "roomId", ticket_number as "ticketNumber") as news
   where is_granted and nth = 1
), reserved as (
  insert into reservations (id, event_id, buyer_id, status, amount, currency, expires_at, room_id, ticket_number, fence,
                            created_at, updated_at, lines, tax)
  select id, $1::uuid, buyer_id, 'PENDING_PAYMENT', amount, currency, expires_at, $2::uuid, ticket_number, fence, at, at,
         lines, tax
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
  select buyer_id, key, fingerprint, 201, answer, at
    from granted
), told as (
  insert into outbox (aggregatetype, aggregateid, type, payload, handed_at)
  select 'reservation', id, 'reservation.created', news, handed_at
    from granted
   order by place
), noted as (
  insert into seat_changes (event_id, version, at, changes)
  select $1::uuid, version + 1, at, changed.seats
    from moment,
         (select json_agg(json_build_array(seat_id, 'held') order by place) as seats
            from free
           where is_granted) as changed
   where changed.seats is not null
), counted as (
  update seat_maps
     set version = version + 1, available = available - changed.seats, held = held + changed.seats
    from (select count(*) as seats from free where is_granted) as changed
   where event_id = $1::uuid and changed.seats > 0
)
select coalesce(json_agg(answer order by place), '[]') as reservations
  from granted
