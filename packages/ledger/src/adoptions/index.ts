export { isOwn } from '../operations/owner.ts'
export { type Adopted, type AdoptGuest, type AdoptionChange, adoptGuest } from '../reservations/adoption/adopt-guest.ts'
export {
  settleAdoptions,
  takeUnsettledTickets,
  type UnsettledTicket,
} from '../reservations/adoption/unsettled-adoptions.ts'
