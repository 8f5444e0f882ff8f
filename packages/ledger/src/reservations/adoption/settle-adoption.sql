-- Note that no line has a ticket of an adopted guest any more.
-- Params   $1 guest_id uuid, $2 the guest's identity in rooms text
-- Returns  nothing
-- Waits    until the ledger must have heard of everything that the guest did: it is never further behind while visitors are
--          let in (R17), and access tokens of the guest are refused
update adoptions
   set settled_at = clock_timestamp()
 where guest_id = $1::uuid and settled_at is null and adopted_at < clock_timestamp() - interval '30 seconds'
   and not exists (
         select from queue_entries
          where identity = $2 and user_id is null and state in ('waiting', 'admitted', 'active'))
