export { type CheckIn, checkIn } from './check-in.ts'
export { type Eticket, issueEtickets, readEticket, readEticketsOf, readEticketsOfBuyer } from './etickets.ts'
