-- Write the news that makes a mail go out to visitors whose turn has come and who asked for it; each is told once.
-- Params   none
-- Returns  one row for each mail
-- Locks    the rows of those who wait no longer; a second server that looks meanwhile waits, and finds them told
with over as (
  update turn_mails
     set told_at = clock_timestamp()
    from queue_entries as tickets
   where told_at is null
     and tickets.room_id = turn_mails.room_id and tickets.number = turn_mails.number
     and tickets.state <> 'waiting'
  returning turn_mails.id, tickets.state
)
insert into outbox (aggregatetype, aggregateid, type, payload)
select 'turn', id::text, 'turn.come', json_build_object('id', id)
  from over
 where state = 'admitted'
returning position
