-- Use a code once: of any number of concurrent attempts one succeeds.
-- Params   $1 room_id uuid, $2 code_hashes text[]: of the same code, under each secret, $3 operation text
-- Returns  number, identity, generation, ownerId, isGuest; nothing when there is no such code, it is over, or another
--          operation used it
-- Locks    the code
update handover_codes
   set used_by = $3
 where room_id = $1::uuid and code_hash = any ($2::text[]) and expires_at > now()
   and (used_by is null or used_by = $3)
returning ticket_number as number, identity, generation, owner_id as "ownerId", is_guest as "isGuest"
