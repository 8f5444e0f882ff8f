-- Answers, news and notes of changed seats are written once, read whole and never looked into: as text they cost half as
-- much to make and to hand out, and an answer that is given again is the same to the letter.
alter table operations alter column answer type json;
alter table outbox alter column payload type json;
alter table seat_changes alter column changes type json;
