-- Open accounts of payments at the sandbox; no money moves. Again for the same purchase: the account it has.
-- Params   one element for each: $1 refs text[], $2 purchase_ids uuid[], $3 amounts bigint[], $4 currencies text[], $5 return_urls text[]
-- Returns  purchaseId and ref of each account
-- Locks    the accounts, by ascending purchase; writing the purchase again is what makes an existing row come back
insert into sandbox_payments (ref, purchase_id, amount, currency, return_url)
select given.ref, given.purchase_id, given.amount, given.currency, given.return_url
  from unnest($1::text[], $2::uuid[], $3::bigint[], $4::text[], $5::text[])
    as given (ref, purchase_id, amount, currency, return_url)
 order by given.purchase_id
    on conflict (purchase_id) do update set purchase_id = excluded.purchase_id
returning purchase_id as "purchaseId", ref
