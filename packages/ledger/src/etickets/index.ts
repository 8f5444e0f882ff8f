export { checkIn, type UsedEticket } from './check-in.ts'
export {
  type DoorCounts,
  type DoorScan,
  type DoorTicket,
  readDoorCounts,
  readDoorList,
  readDoorScans,
} from './door/read-door.ts'
export { takeScan } from './door/take-scan.ts'
export {
  type Eticket,
  issueEtickets,
  type NewEticket,
  readEticket,
  readEticketsOf,
  readEticketsOfHolder,
} from './etickets.ts'
export { type FoundShortCode, findShortCode } from './find-short-code.ts'
export { type EticketFacts, eticketFactsToRead, eticketsToWrite, newEtickets } from './new-etickets.ts'
export { acceptTransfer, type TransferRefusal } from './transfers/accept-transfer.ts'
export { openTransfer, withdrawTransfer } from './transfers/open-transfer.ts'
export { readGivenAway, readTransfer, type Transfer } from './transfers/read-transfers.ts'
