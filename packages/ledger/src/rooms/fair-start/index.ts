export { type DrawnTickets, placeTickets, readDrawnTickets } from './drawn-tickets.ts'
export {
  type DrawNews,
  keepDraw,
  listDrawsSealedWith,
  type NewDraw,
  noteDraw,
  readUnannounced,
  sealDrawAgain,
} from './draws.ts'
export { type DrawRow, readCoveredAt, readDraw } from './read-draw.ts'
