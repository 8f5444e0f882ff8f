-- An event is cancelled: nothing of it is sold any more.
-- Params   $1 event_id uuid, $2 at timestamptz
-- Returns  one row if this statement did it, none when it was cancelled before
-- Locks    the event's row; the caller holds its seat map, so that no claim is decided meanwhile
update events
   set state = 'cancelled', cancelled_at = $2::timestamptz, updated_at = $2::timestamptz
 where id = $1::uuid and state <> 'cancelled'
returning id
