export { type DrawnTickets, placeTickets, readDrawnTickets } from './drawn-tickets.ts'
export { type DrawNews, keepDraw, type NewDraw, noteDraw, readUnannounced } from './draws.ts'
export { type DrawRow, readCoveredAt, readDraw } from './read-draw.ts'
