-- Where one holder's e-tickets went, or are about to go.
-- Params   $1 from_id uuid, $2 eticket_ids uuid[]
-- Returns  eticketId, email, isAccepted: the latest transfer of each that is open or was accepted
select distinct on (eticket_id) eticket_id as "eticketId", email, status = 'accepted' as "isAccepted"
  from transfers
 where from_id = $1::uuid and eticket_id = any ($2::uuid[]) and status in ('open', 'accepted')
 order by eticket_id, created_at desc
