-- When the copying of each entry of a log began, by the ledger's clock; unknown for what was copied before. While copying
-- takes too long nobody is let in, and whoever asks afterwards why finds it here.
alter table room_log add column copied_at timestamptz;
alter table room_log alter column copied_at set default now();
