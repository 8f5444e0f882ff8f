-- Parts of a seat plan that have no seats (stage, aisles), and where visitors stand: outlines in the unit of the plan.
-- Only editing an event changes them; no statement of a sale reads them.
alter table events add column shapes jsonb not null default '[]';
alter table seat_types
  add column area jsonb,
  add check (area is null or not reserved_seating);
