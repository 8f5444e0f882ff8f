-- Lock a payment at the sandbox, so that one call at a time sends money of it back.
-- Params   $1 ref text
-- Returns  nothing of use
-- Locks    the payment
select from sandbox_payments where ref = $1 for update
