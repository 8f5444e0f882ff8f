-- What the ledger knows about some claims on event $1 that stands in the way of simply granting them.
-- Params   $1 event_id uuid, then one element for each claim: $2 actor_ids uuid[], $3 keys text[], $4 room_ids uuid[],
--          $5 ticket_numbers bigint[], $6 buyer_ids uuid[], $7 fingerprints text[], $8 fences bigint[]. The time is that
--          of open-seat-map.sql
-- Returns  a row for each claim of which anything of this is known: its place, from 1; the account that has adopted the
--          buyer, or null, to whom all of the following refers then; fingerprint and answer of its operation, or nulls;
--          whether its ticket has paid, or has shown a newer fence; its pending reservation with its deadline, or nulls,
--          its buyer, and whether it is being paid for; how many seats of the event the buyer holds at that time, or owns,
--          together with all who stand with the ticket, and how many these are (null for one). No row for most claims of a
--          sale
-- Keys     that account and guest both used are both kept (see adopt-guest.ts): the same wish finds its own answer
-- Plans    one look into each index for each claim, whatever the planner believes about tables that grow by the second:
--          `limit`, `offset` and the lateral queries leave it no other way
select claim.place::int,
       adoption.user_id as "adoptedBy",
       operation.fingerprint,
       operation.answer,
       earlier.has_paid as "hasPaid",
       pass.is_outdated as "isOutdated",
       earlier.pending_id as "pendingId",
       earlier.pending_until as "pendingUntil",
       exists (
         select from purchases
          where reservation_id = earlier.pending_id and status in ('PROCESSING', 'PAID', 'PARTLY_REFUNDED', 'STUCK')) as "isPaying",
       owned.seats as "seatsOwned",
       earlier.pending_buyer as "pendingBuyerId",
       cardinality(team.buyers) as people
  from unnest($2::uuid[], $3::text[], $4::uuid[], $5::bigint[], $6::uuid[], $7::text[], $8::bigint[])
       with ordinality as claim (actor_id, key, room_id, ticket_number, buyer_id, fingerprint, fence, place)
  left join lateral (
         select user_id from adoptions where guest_id = claim.buyer_id limit 1
       ) as adoption on true
  left join lateral (
         select fingerprint, answer
           from operations
          where key = claim.key
            and actor_id = any (array(
                  select coalesce(adoption.user_id, claim.actor_id)
                   union all
                  select guest_id from adoptions where user_id = coalesce(adoption.user_id, claim.actor_id)))
          order by fingerprint = claim.fingerprint desc
          limit 1
       ) as operation on true
 cross join lateral (
         select max(fence) as fence, coalesce(bool_or(status = 'PAID'), false) as has_paid,
                -- A ticket has one at the most.
                (array_agg(id) filter (where status = 'PENDING_PAYMENT'))[1] as pending_id,
                (array_agg(buyer_id) filter (where status = 'PENDING_PAYMENT'))[1] as pending_buyer,
                max(expires_at) filter (where status = 'PENDING_PAYMENT') as pending_until
           from reservations
          where room_id = claim.room_id and ticket_number = claim.ticket_number
       ) as earlier
 cross join lateral (
         select coalesce(claim.fence < greatest(earlier.fence, (
                  select fence
                    from queue_entries
                   where room_id = claim.room_id and number = claim.ticket_number)), false) as is_outdated
       ) as pass
 -- The buyers who stand together with the claim's ticket; null unless it is a group's.
 cross join lateral (
         select array_agg(coalesce(user_id, guest_id)) as buyers
           from (select user_id, guest_id
                   from queue_entries
                  where room_id = claim.room_id and stands_with = claim.ticket_number
                  union all
                 select user_id, guest_id
                   from queue_entries
                  where room_id = claim.room_id and number = claim.ticket_number and left_identity is null
                    and exists (select from queue_entries
                                 where room_id = claim.room_id and stands_with = claim.ticket_number)
                 offset 0) as members
       ) as team
 cross join lateral (
         select coalesce(sum((select count(*) from reservation_items where reservation_id = theirs.id and not returned)), 0)::int as seats
           -- By the buyers alone: the event has thousands of reservations, a buyer a few.
           from (select *
                   from reservations
                  where buyer_id = any (coalesce(team.buyers, '{}') || coalesce(adoption.user_id, claim.buyer_id))
                 offset 0) as theirs
          where event_id = $1::uuid
            and (status = 'PAID'
                 or (status = 'PENDING_PAYMENT' and expires_at > current_setting('seatwise.at')::timestamptz))
       ) as owned
 where adoption.user_id is not null or operation.fingerprint is not null or earlier.has_paid or pass.is_outdated
    or earlier.pending_id is not null or owned.seats > 0
    or team.buyers is not null
