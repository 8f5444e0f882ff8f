-- Keep a guest from being adopted until the transaction ends. The next statement sees whether that has happened before.
-- Params   $1 owner uuid: a guest or an account
-- Returns  nothing of interest
-- Locks    the owner's advisory lock, shared
select pg_advisory_xact_lock_shared(uuid_hash_extended($1::uuid, 0))
