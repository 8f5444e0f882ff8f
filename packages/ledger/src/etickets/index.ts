export { checkIn, type UsedEticket } from './check-in.ts'
export { type Eticket, issueEtickets, readEticket, readEticketsOf, readEticketsOfBuyer } from './etickets.ts'
export { type EticketFacts, eticketFactsToRead, eticketsToWrite, newEtickets } from './new-etickets.ts'
