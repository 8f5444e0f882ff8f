-- Codes of event $1 that claims name, and how often they may still be used.
-- Params   $1 event_id uuid, $2 code_keys text[], $3 overdue uuid[]: reservations that the caller ends in this
--          transaction before it writes new ones. The time is that of open-seat-map.sql
-- Returns  a row for each that exists: id, key, code, percent (in thousandths), amountOff, price, access, seatTypeIds,
--          perBuyerMax, isValid: not ended, and valid at this time; usesLeft, or null where there is no limit
-- Locks    nothing: what counts the uses changes under the lock of the seat map only
select id, code_key as key, code, percent, amount_off as "amountOff", price, access, seat_type_ids as "seatTypeIds",
       per_buyer_max as "perBuyerMax",
       ended_at is null and coalesce(valid_from <= moment.at, true) and coalesce(valid_until > moment.at, true)
         as "isValid",
       uses_max - uses + (select count(*)::int
                            from reservations
                           where reservations.id = any ($3::uuid[]) and code_id = codes.id) as "usesLeft"
  from codes, cast(current_setting('seatwise.at') as timestamptz) as moment (at)
 where event_id = $1::uuid and code_key = any ($2::text[])
