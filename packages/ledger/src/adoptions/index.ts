export { type Adopted, type AdoptGuest, type AdoptionChange, adoptGuest } from './adopt-guest.ts'
export { isOwn } from './owner.ts'
export { settleAdoptions, takeUnsettledTickets, type UnsettledTicket } from './unsettled-adoptions.ts'
