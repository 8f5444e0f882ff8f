-- An identity means nothing in any language: compared byte by byte, each one that is drawn costs a tenth less to write.
alter table queue_entries alter column identity type text collate "C";
