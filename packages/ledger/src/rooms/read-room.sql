-- One room with its event's sale window, which a presale opens, or with its own.
-- Params   $1 room_id uuid or null, $2 event_id uuid or null: exactly one is given
-- Returns  one row, or none
select rooms.id, event_id as "eventId", coalesce(events.organization_id, rooms.organization_id) as "organizationId", rooms.name, target, settings, paused, message, epoch, seq,
       archived_at as "archivedAt", coalesce(presale_start_at, sales_start_at, opens_at) as "opensAt",
       -- A cancelled event closes its line for good.
       least(sales_end_at, cancelled_at, closes_at) as "closesAt", events.state,
       case when presale_start_at is not null then sales_start_at end as "presaleUntil",
       coalesce(ends_at, sales_end_at) + interval '24 hours' as "guestsUntil",
       exists (select from seat_types where seat_types.event_id = rooms.event_id and hidden) as "hidesSeats"
  from rooms
  left join events on events.id = rooms.event_id
 where rooms.id = $1::uuid or rooms.event_id = $2::uuid
