-- Lock a purchase, so that requests to send its mail again are counted one after the other.
-- Params   $1 purchase_id uuid
-- Returns  nothing of use
-- Locks    the purchase's row
select from purchases where id = $1::uuid for no key update
