-- Members and API keys, as far as an earlier read could not see them.
-- Params   $1 xid8: `seen_to` of the earlier read, '0' for the first
-- Returns  at least one row. `seen_to`: every transaction before it was over, so what it wrote is in this answer or in an
--          earlier one. The other columns are null in the only row when nothing changed. A member's row has no `hash`.
-- Locks    nothing
select snapshot.seen_to::text as seen_to, changed.*
  from (select pg_snapshot_xmin(pg_current_snapshot()) as seen_to) as snapshot
  left join (
    select user_id as id, organization_id as "organizationId", role, ended_at is not null as "hasEnded",
           null as hash, null::timestamptz as "expiresAt", null::uuid as "madeBy"
      from members
     where written_by >= $1::xid8
    union all
    select id, organization_id, role, revoked_at is not null, encode(hash, 'hex'), expires_at, made_by
      from api_keys
     where written_by >= $1::xid8
  ) as changed on true
