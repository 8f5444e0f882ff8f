-- The final fairness report of each sale, as it was signed when the sale was over and its last ticket had ended.
create table fairness_reports (
  room_id uuid primary key references rooms (id),
  at      timestamptz not null default clock_timestamp(),
  -- The exact text that the note covers: JSON with the figures and the head of the log that they were counted up to. Figures of
  -- networks cannot be counted again once the addresses are deleted.
  text    text not null,
  kid     text not null references signing_keys (kid),
  -- A signed note over SHA-256 of the text.
  note    text not null
);
create index fairness_reports_at on fairness_reports (at desc, room_id desc);
