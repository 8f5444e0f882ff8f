-- What seats of event $1 cost, by type.
-- Params   $1 event_id uuid
-- Returns  a row for each type: id, name, price, variants, currency, isNumbered, isHidden; of the event on each:
--          taxThousandths, fees, isCancelled, and whether only claims with an access code are granted now (isPresale). The
--          time is that of open-seat-map.sql
select seat_types.id, seat_types.name, price, variants, seat_types.currency, reserved_seating as "isNumbered",
       hidden as "isHidden", tax_rate as "taxThousandths", fees, events.state = 'cancelled' as "isCancelled",
       presale_start_at is not null
         and sales_start_at > current_setting('seatwise.at')::timestamptz as "isPresale"
  from seat_types
  join events on events.id = event_id
 where event_id = $1::uuid
