-- Write reservations with their seats, the answers given under their keys, and the news of them.
-- Params   $1 event_id uuid, $2 at timestamptz; one element for each reservation: $3 ids uuid[], $4 buyer_ids uuid[],
--          $5 statuses text[], $6 amounts bigint[], $7 currencies text[], $8 expires_at timestamptz[], $9 room_ids uuid[],
--          $10 ticket_numbers bigint[], $11 fences bigint[], $12 actor_ids uuid[], $13 keys text[],
--          $14 fingerprints text[], $15 answers json and $16 payloads of their news json: lists; one element for each
--          seat: $17 reservation_ids uuid[], $18 seat_ids uuid[], $19 seat_type_ids uuid[], $20 prices bigint[],
--          $21 statuses of their reservations text[], $22 variant_ids text[], $23 discounts bigint[], $24 fees bigint[];
--          one element for each reservation again: $25 taxes bigint[], $26 code_ids uuid[]. The lines are those of the answers
-- Returns  nothing
-- Locks    nothing that others wait for: the caller holds the seat map's lock
-- News     that no webhook subscribes to gets its handed_at at once: reading each row again would cost as much as writing it
with placed as materialized (
  select *
    from rows from (
           unnest($3::uuid[], $4::uuid[], $5::text[], $6::bigint[], $7::text[], $8::timestamptz[], $9::uuid[],
                  $10::bigint[], $11::bigint[], $12::uuid[], $13::text[], $14::text[], $25::bigint[], $26::uuid[]),
           json_array_elements($15::json), json_array_elements($16::json)
         ) with ordinality as claims (id, buyer_id, status, amount, currency, expires_at, room_id, ticket_number, fence,
                                      actor_id, key, fingerprint, tax, code_id, answer, payload, place)
), reserved as (
  insert into reservations (id, event_id, buyer_id, status, amount, currency, expires_at, room_id, ticket_number, fence,
                            created_at, updated_at, lines, tax, code_id)
  select id, $1::uuid, buyer_id, status, amount, currency, expires_at, room_id, ticket_number, fence,
         $2::timestamptz, $2::timestamptz, answer -> 'lines', tax, code_id
    from placed
), listed as (
  insert into reservation_items (reservation_id, seat_id, seat_type_id, price, reservation_status, variant_id, discount,
                                 fees)
  select * from unnest($17::uuid[], $18::uuid[], $19::uuid[], $20::bigint[], $21::text[], $22::text[], $23::bigint[],
                       $24::bigint[])
), answered as (
  insert into operations (actor_id, key, fingerprint, status_code, answer, created_at)
  select actor_id, key, fingerprint, 201, answer, $2::timestamptz
    from placed
)
insert into outbox (aggregatetype, aggregateid, type, payload, handed_at)
select 'reservation', id, 'reservation.created',
       payload,
       (select $2::timestamptz
         where not exists (select from webhooks where types = '{}' or 'reservation.created' = any (types)))
  from placed
 order by place
