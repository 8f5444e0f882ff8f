-- The account that has adopted a guest; every other buyer unchanged.
-- Params   $1 actor_id uuid: a guest or an account
-- Returns  owner
select coalesce((select user_id from adoptions where guest_id = $1::uuid), $1::uuid) as owner
