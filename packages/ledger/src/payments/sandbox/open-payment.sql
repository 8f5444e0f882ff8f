-- Open an account of a payment at the sandbox; no money moves. Again for the same purchase: the account it has.
-- Params   $1 ref text, $2 purchase_id uuid, $3 amount bigint, $4 currency text, $5 return_url text
-- Returns  ref of the account
-- Locks    the account; writing the purchase again is what makes an existing row come back
insert into sandbox_payments (ref, purchase_id, amount, currency, return_url)
values ($1, $2::uuid, $3::bigint, $4, $5)
    on conflict (purchase_id) do update set purchase_id = excluded.purchase_id
returning ref
