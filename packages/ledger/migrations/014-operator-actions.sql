-- Who did what: every act of an operator, written where it takes effect, or before it where that is the line.
create table operator_actions (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  -- No foreign key: what was done stays known, whatever becomes of the account.
  actor_id   uuid not null,
  -- Of acts that concern one event or room; a change of a role concerns neither.
  event_id   uuid,
  room_id    uuid,
  kind       text not null,
  -- A ticket, purchase, reservation, e-ticket or account, by its id.
  subject    text,
  -- What was changed, as it was and as it became. The former values make undoing possible.
  before     jsonb not null default '{}',
  after      jsonb not null default '{}',
  -- The act that this one takes back.
  undoes     bigint references operator_actions (id)
);

create index operator_actions_by_event on operator_actions (event_id, id);
create index operator_actions_by_room on operator_actions (room_id, id);
-- One act is taken back at most once.
create unique index operator_actions_undone_once on operator_actions (undoes) where undoes is not null;

-- Reports of rehearsals of a sale, so that whoever opens it knows that it was tried, and how that went.
create table rehearsals (
  id       bigint generated always as identity primary key,
  event_id uuid not null references events (id),
  at       timestamptz not null default clock_timestamp(),
  by_id    uuid not null,
  verdict  text not null check (verdict in ('passed', 'failed')),
  report   jsonb not null
);

create index rehearsals_by_event on rehearsals (event_id, id);
