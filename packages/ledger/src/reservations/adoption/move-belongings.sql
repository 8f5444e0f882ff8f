-- Give everything that a guest owns to an account, and note that it was done.
-- Params   $1 guest_id uuid, $2 user_id uuid, $3 canceled uuid[]: reservations about to be cancelled because of the limit,
--          $4 identity text: by which rooms know the guest
-- Returns  nothing
-- Locks    the rows it changes; the caller holds the guest's lock and the seat maps of all events they reserved in
-- Follows  purchases and e-tickets by themselves: purchases belong to the reservation, and name the operation. E-tickets that
--          were transferred to the guest are moved here, and what the guest gave away or accepted
-- Keys     that the account has used itself stay the guest's, and are found by those who ask for the account's
with moved as (
  update operations
     set actor_id = $2::uuid
   where actor_id = $1::uuid
     and not exists (select from operations as own where own.actor_id = $2::uuid and own.key = operations.key)
), noted as (
  insert into adoptions (guest_id, user_id, canceled, identity)
  values ($1::uuid, $2::uuid, $3::uuid[], $4)
), held as (
  update etickets set holder_id = $2::uuid where holder_id = $1::uuid
), given as (
  update transfers
     set from_id = case from_id when $1::uuid then $2::uuid else from_id end,
         accepted_by = case accepted_by when $1::uuid then $2::uuid else accepted_by end
   where from_id = $1::uuid or accepted_by = $1::uuid
), invited as (
  update room_invitations set holder_id = $2::uuid where holder_id = $1::uuid
), taken as (
  update offers set accepted_by = $2::uuid where accepted_by = $1::uuid
)
update reservations
   set buyer_id = $2::uuid, adopted_from = $1::uuid
 where buyer_id = $1::uuid
