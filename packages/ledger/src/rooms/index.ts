export { type BrandRow, readBrand, writeBrand } from './brands.ts'
export { changeRoom, type RoomEdit } from './change-room.ts'
export {
  type Connector,
  deleteConnector,
  listConnectorsSealedWith,
  readConnector,
  saveConnector,
  sealConnectorAgain,
} from './connectors.ts'
export * as draws from './fair-start/index.ts'
export * as fairness from './fairness/index.ts'
export * as joining from './joining/index.ts'
export { beginEpoch } from './log/begin-epoch.ts'
export { copyLog } from './log/copy-log.ts'
export { type AuditEntry, readAudit } from './log/read-audit.ts'
export { readEntries, readLog } from './log/read-log.ts'
export { catchUpTree } from './log/tree/catch-up-tree.ts'
export { findPosition } from './log/tree/find-position.ts'
export { fixLogHost, keepHead, type LogHead, readTree, rootsOfHeads, type TreeState } from './log/tree/log-heads.ts'
export { LogTree } from './log/tree/log-tree.ts'
export { readDrawing } from './log/tree/read-drawing.ts'
export { type SizedRoot, treeBefore } from './log/tree/tree-before.ts'
export { withRoomLock } from './log/with-room-lock.ts'
export { createRoom, listRooms, type RoomFacts, readRooms, renameRoom } from './own-rooms.ts'
export { type PublicStock, readPublicStock } from './read-public-stock.ts'
export { listOpenRooms, type RoomRow, readRoom } from './read-room.ts'
export { readRoomStats } from './read-room-stats.ts'
export { readStock } from './read-stock.ts'
export {
  forgetToldTickets,
  handOutTickets,
  type RoomOfTickets,
  type TicketItem,
} from './ticket-news/hand-out-tickets.ts'
export { listRoomsOfGuest } from './tickets/list-rooms-of-guest.ts'
export { readCorrections } from './tickets/read-corrections.ts'
export { readCompanions, readLineMemory, readLiveTickets } from './tickets/read-live-tickets.ts'
export { readRevoked } from './tickets/read-revoked.ts'
export { readTicket, readTickets, type TicketRow } from './tickets/read-ticket.ts'
export { readTicketOwners, type TicketOwner } from './tickets/read-ticket-owners.ts'
export { readWaitingProfiles } from './tickets/read-waiting-profiles.ts'
export { readShown, showTicket } from './tickets/show-ticket.ts'
