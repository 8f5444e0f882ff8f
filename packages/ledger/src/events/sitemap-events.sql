-- Published events that are not over, with the address of their organization's page: those whose sale begins last first.
-- Params   $1 result_max int
-- Returns  id, slug, changed_at
select events.id, organizations.slug, events.updated_at as changed_at
  from events
  join organizations on organizations.id = events.organization_id
 where state = 'published' and over_at > now()
 order by events.sales_start_at desc, events.id
 limit $1
