-- Store the hashes of a code and a link that are about to be mailed. Earlier ones of the same mail stay good: which of
-- them arrived is not known.
-- Params   $1 id uuid, $2 code_hash text, $3 link_hash text
-- Returns  email, language, next; nothing when the mail was used meanwhile, or its time is over
-- Locks    the mail
update sign_in_codes
   set code_hashes = code_hashes || $2::text, link_hashes = link_hashes || $3::text
 where id = $1::uuid and expires_at > clock_timestamp()
returning email, language, next
