-- Store the code of a ticket; an earlier code for it is no longer valid. Delete a few expired codes.
-- Params   $1 room_id uuid, $2 ticket_number bigint, $3 code_hash text, $4 identity text, $5 generation int,
--          $6 owner_id uuid, $7 is_guest boolean, $8 life_seconds int
-- Returns  expiresAt, by the ledger's clock
with forgotten as (
  delete from handover_codes
   where (room_id, ticket_number) in (
           select room_id, ticket_number
             from handover_codes
            where expires_at < now() and (room_id, ticket_number) <> ($1::uuid, $2::bigint)
            limit 20)
)
insert into handover_codes (room_id, ticket_number, code_hash, identity, generation, owner_id, is_guest, expires_at)
values ($1::uuid, $2::bigint, $3, $4, $5::int, $6::uuid, $7::boolean, now() + make_interval(secs => $8::int))
on conflict (room_id, ticket_number) do update
   set code_hash = excluded.code_hash, identity = excluded.identity, generation = excluded.generation,
       owner_id = excluded.owner_id, is_guest = excluded.is_guest, expires_at = excluded.expires_at, used_by = null
returning expires_at as "expiresAt"
