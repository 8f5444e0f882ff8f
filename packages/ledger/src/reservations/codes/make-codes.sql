-- Make codes of event $1 on equal terms; texts that the event has already are left out.
-- Params   $1 event_id uuid, $2 ids uuid[], $3 codes text[], $4 code_keys text[], $5 percent int, $6 amount_off bigint,
--          $7 price bigint, $8 access boolean, $9 seat_type_ids uuid[], $10 uses_max int, $11 per_buyer_max int,
--          $12 valid_from timestamptz, $13 valid_until timestamptz; terms that a code does not have are null
-- Returns  id and code of each that was made
insert into codes (id, event_id, code, code_key, percent, amount_off, price, access, seat_type_ids, uses_max,
                   per_buyer_max, valid_from, valid_until)
select id, $1::uuid, code, code_key, $5::int, $6::bigint, $7::bigint, $8::boolean, $9::uuid[], $10::int, $11::int,
       $12::timestamptz, $13::timestamptz
  from unnest($2::uuid[], $3::text[], $4::text[]) as wanted (id, code, code_key)
    on conflict on constraint codes_one_text do nothing
returning id, code
