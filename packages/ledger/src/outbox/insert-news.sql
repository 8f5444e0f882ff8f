-- Write news to the outbox, in this order.
-- Params   one element for each: $1 aggregate types text[], $2 aggregate ids text[], $3 types text[], $4 payloads text[]
-- Returns  nothing
insert into outbox (aggregatetype, aggregateid, type, payload)
select aggregatetype, aggregateid, type, payload::json
  from unnest($1::text[], $2::text[], $3::text[], $4::text[])
       with ordinality as news (aggregatetype, aggregateid, type, payload, place)
 order by place
