-- Events with holds that have expired by the ledger's clock, the longest overdue first.
-- Params   $1 result_max int
-- Returns  eventId
-- Plans    through the index, because this clock stands still during a statement; clock_timestamp() would be compared with
--          every pending reservation
select event_id as "eventId"
  from reservations
 where status = 'PENDING_PAYMENT' and expires_at <= statement_timestamp()
 group by event_id
 order by min(expires_at)
 limit $1
