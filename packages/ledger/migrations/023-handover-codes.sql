-- Codes that take a place to another device: one for each ticket, the newest, of which only a keyed hash is kept.
create table handover_codes (
  room_id       uuid not null,
  ticket_number bigint not null,
  code_hash     text not null,
  -- What the ticket token of the first device proved: a code is good for this generation of the ticket only.
  identity      text not null,
  generation    integer not null,
  -- The account or the guest behind the ticket.
  owner_id      uuid not null,
  is_guest      boolean not null,
  expires_at    timestamptz not null,
  -- The operation that used it. The same one may ask again while the code lasts.
  used_by       text,
  primary key (room_id, ticket_number),
  unique (room_id, code_hash)
);
create index handover_codes_by_end on handover_codes (expires_at);
