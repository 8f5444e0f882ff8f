-- Delete calls with ticket news that were delivered: the log has what they said, and a sale has hundreds of thousands.
-- Params   $1 result_max int
-- Returns  one row for each call deleted
with delivered as (
  select deliveries.position
    from deliveries
    join outbox on outbox.position = deliveries.position
   where outbox.aggregatetype = 'tickets' and deliveries.webhook_id is not null and deliveries.delivered_at is not null
   limit $1
), gone as (
  delete from deliveries using delivered where deliveries.position = delivered.position
)
delete from outbox using delivered where outbox.position = delivered.position
returning outbox.position
