-- Wait until no transaction writes something new for a guest, and keep others from it.
-- Params   $1 guest_id uuid
-- Returns  nothing of interest
-- Locks    the guest's advisory lock, exclusively, until the transaction ends; see open-seat-map.sql and lock-owner.sql
select pg_advisory_xact_lock(uuid_hash_extended($1::uuid, 0))
