-- What gets its holder through the door: one for each seat that was paid for.
create table etickets (
  id                 uuid primary key default gen_random_uuid(),
  reservation_id     uuid not null,
  seat_id            uuid not null,
  event_id           uuid not null references events (id),
  -- Follows the reservation by itself: a refund makes its e-tickets void, whatever the code does.
  reservation_status text not null default 'PAID',
  issued_at          timestamptz not null default now(),
  checked_in_at      timestamptz,
  -- Who let them in.
  checked_in_by      uuid,
  unique (reservation_id, seat_id),
  foreign key (reservation_id, seat_id) references reservation_items (reservation_id, seat_id),
  foreign key (reservation_id, reservation_status) references reservations (id, status) on update cascade,
  check (reservation_status in ('PAID', 'REFUNDED')),
  check ((checked_in_at is null) = (checked_in_by is null))
);

-- A seat lets one person in at a time.
create unique index etickets_one_valid on etickets (seat_id) where reservation_status = 'PAID';
