-- Priority codes that a ticket used before its latest one, which is in `code`: a code raises the class of a ticket that waits.
-- A code is good for one ticket, in its room's line, also after a rebuild.

alter table queue_entries add column earlier_codes text[];
