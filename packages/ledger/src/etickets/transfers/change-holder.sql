-- An open transfer is accepted: the e-ticket has another holder, and codes that were signed before are void.
-- Params   $1 transfer_id uuid, $2 holder_id uuid
-- Returns  one row if this call did it; none when the transfer is not open any more
-- Locks    the transfer's row and the e-ticket's, after its reservation's (lock-paid.sql): of calls that come together the
--          second waits, finds the transfer accepted, and changes nothing
with accepted as (
  update transfers
     set status = 'accepted', accepted_by = $2::uuid, ended_at = clock_timestamp()
   where id = $1::uuid and status = 'open'
  returning eticket_id
)
update etickets
   set holder_id = $2::uuid, generation = generation + 1, short_code = new_short_code()
  from accepted
 where etickets.id = accepted.eticket_id
returning etickets.id
