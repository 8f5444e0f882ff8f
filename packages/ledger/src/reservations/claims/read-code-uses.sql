-- How often buyers use codes now, and the code of the reservation that each claim would replace.
-- Params   one element for each claim: $1 buyer_ids uuid[], $2 code_ids uuid[] or nulls, $3 pending_ids uuid[] or nulls.
--          The time is that of open-seat-map.sql
-- Returns  a row for each claim, in their order: uses, 0 without a code; pendingCodeId, or null
-- Plans    by the buyer alone, as in read-claims.sql: a code has thousands of reservations, a buyer a few
select (select count(*)::int
          from (select * from reservations where buyer_id = claim.buyer_id offset 0) as theirs
         where code_id = claim.code_id
           and (status = 'PAID'
                or (status = 'PENDING_PAYMENT' and expires_at > current_setting('seatwise.at')::timestamptz))) as uses,
       (select code_id from reservations where id = claim.pending_id) as "pendingCodeId"
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as claim (buyer_id, code_id, pending_id, place)
 order by place
