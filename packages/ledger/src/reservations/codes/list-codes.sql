-- Codes of event $1, the newest first, a page at a time, or some of them by key.
-- Params   $1 event_id uuid, $2 before uuid or null: the last code of the page before, $3 result_max int,
--          $4 code_keys text[] or null: only these
-- Returns  id, code, percent (in thousandths), amountOff, price, access, seatTypeIds, usesMax, perBuyerMax, validFrom,
--          validUntil, endedAt, createdAt, uses; isValid: not ended, and valid now
-- Order    by id, which is ordered by time
select id, code, percent, amount_off as "amountOff", price, access, seat_type_ids as "seatTypeIds",
       uses_max as "usesMax", per_buyer_max as "perBuyerMax", valid_from as "validFrom", valid_until as "validUntil",
       ended_at as "endedAt", created_at as "createdAt", uses,
       ended_at is null and coalesce(valid_from <= now(), true) and coalesce(valid_until > now(), true) as "isValid"
  from codes
 where event_id = $1::uuid
   and ($2::uuid is null or id < $2::uuid)
   and ($4::text[] is null or code_key = any ($4::text[]))
 order by id desc
 limit $3
