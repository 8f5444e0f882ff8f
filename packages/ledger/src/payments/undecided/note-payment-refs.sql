-- Store under which name the provider knows payments that are under way; what it was asked for is not needed any more.
-- Params   one element for each: $1 purchase_ids uuid[], $2 provider_refs text[]
-- Returns  id of each that was stored; a payment that was decided meanwhile is left out
-- Locks    the purchases, by ascending id
with open as (
  select id
    from purchases
   where id = any($1::uuid[]) and status = 'PROCESSING'
   order by id
     for update
)
update purchases
   set provider_ref = given.ref, provider_order = null
  from open
  join unnest($1::uuid[], $2::text[]) as given (id, ref) on given.id = open.id
 where purchases.id = open.id
returning purchases.id
