-- Sessions, accounts and guests that ended, as far as an earlier read could not see them.
-- Params   $1 xid8: `seen_to` of the earlier read, '0' for the first
-- Returns  at least one row. `seen_to`: every transaction before it was over, so what it wrote is in this answer or in an
--          earlier one. The other columns are null in the only row when nothing ended. What is forgotten
--          first comes first.
-- Locks    nothing
select snapshot.seen_to::text as seen_to, ended.kind, ended.subject, ended.below_version, ended.except_session,
       ended.forget_at
  from (select pg_snapshot_xmin(pg_current_snapshot()) as seen_to) as snapshot
  left join ended_identities as ended on ended.written_by >= $1::xid8
 order by ended.forget_at
