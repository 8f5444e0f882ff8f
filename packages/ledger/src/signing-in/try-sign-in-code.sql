-- Count one try of a code that was mailed to an address, and find the mail that has it.
-- Params   $1 email_key text, $2 code_hashes text[]: of the typed code, under each secret, $3 sender_hash text
-- Returns  id of the mail; nothing for a wrong code, a code that is over, or after too many tries: five of a sender, 50 in all
-- Locks    the mails to the address that still count, in order of id
with live as materialized (
  select id, code_hashes
    from sign_in_codes
   where email_key = $1 and expires_at > clock_timestamp() and tries < 50
   order by id
     for update
), tried as (
  insert into sign_in_tries (code_id, sender_hash, tries)
  select id, $3, 1 from live
  on conflict (code_id, sender_hash) do update
     set tries = sign_in_tries.tries + 1
   where sign_in_tries.tries < 5
  returning code_id
), counted as (
  update sign_in_codes set tries = tries + 1 from tried where sign_in_codes.id = tried.code_id
)
select live.id
  from live
  join tried on tried.code_id = live.id
 where live.code_hashes && $2::text[]
 limit 1
