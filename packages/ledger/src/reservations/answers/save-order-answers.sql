-- Write down what a buyer said about an order, while it counts: the reservation is pending and not overdue, or paid.
-- Params   $1 reservation_id uuid, $2 answers jsonb by question, null removes one; $3 terms_url text or null, $4 marketing
--          boolean or null, $5 marketing_words text; a null keeps what was said before
-- Returns  a row; none when the reservation is over
-- Locks    the reservation against its end, so that nothing is written after the answers of an ended one were deleted
insert into order_answers (reservation_id, answers, terms_url, terms_accepted_at, marketing, marketing_at, marketing_words)
select id, jsonb_strip_nulls($2::jsonb), $3::text, case when $3::text is not null then clock_timestamp() end,
       coalesce($4::boolean, false), case when $4::boolean then clock_timestamp() end, case when $4::boolean then $5::text end
  from reservations
 where id = $1::uuid and (status = 'PAID' or (status = 'PENDING_PAYMENT' and expires_at > clock_timestamp()))
   for share
    on conflict (reservation_id) do update
   set answers = jsonb_strip_nulls(order_answers.answers || $2::jsonb),
       terms_url = coalesce(excluded.terms_url, order_answers.terms_url),
       -- Terms that are accepted again are accepted since the first time.
       terms_accepted_at = case when excluded.terms_url is null or excluded.terms_url = order_answers.terms_url
                                then order_answers.terms_accepted_at
                                else excluded.terms_accepted_at end,
       marketing = coalesce($4::boolean, order_answers.marketing),
       -- A consent counts from when it was given; a withdrawal keeps the words.
       marketing_at = case when coalesce($4::boolean, order_answers.marketing) = order_answers.marketing
                           then order_answers.marketing_at
                           else clock_timestamp() end,
       marketing_words = case when $4::boolean and not order_answers.marketing then $5::text
                              else order_answers.marketing_words end,
       updated_at = clock_timestamp()
returning reservation_id
