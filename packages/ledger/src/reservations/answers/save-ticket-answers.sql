-- Write down what a buyer said about tickets.
-- Params   $1 reservation_id uuid; one element for each ticket: $2 seat_ids uuid[], $3 names text[], null keeps the name,
--          $4 answers text[]: JSON by question, null removes one
-- Returns  nothing
-- Locks    the rows of these tickets, by ascending seat; save-order-answers.sql comes first and has locked the reservation
insert into ticket_answers (reservation_id, seat_id, name, answers)
select $1::uuid, seat_id, name, jsonb_strip_nulls(answers::jsonb)
  from unnest($2::uuid[], $3::text[], $4::text[]) as said (seat_id, name, answers)
 order by seat_id
    on conflict (reservation_id, seat_id) do update
   set name = coalesce(excluded.name, ticket_answers.name),
       answers = jsonb_strip_nulls(ticket_answers.answers || (
         select answers::jsonb
           from unnest($2::uuid[], $4::text[]) as said (seat_id, answers)
          where said.seat_id = excluded.seat_id))
