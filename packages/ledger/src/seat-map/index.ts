export { forgetSeatChanges, readSeatChanges, type SeatMapNews } from './read-seat-changes.ts'
export { readSeatCounts } from './read-seat-counts.ts'
export { type PlannedSeat, type PlannedType, readSeatPlan, type SeatPlan } from './read-seat-plan.ts'
export { keptSeatsToRead, readKeptSeats, readSeats, type SeatFact, seatsToRead } from './read-seats.ts'
export { openDesk, type SeatDesk, type SeatState } from './seat-desk.ts'
export {
  atSeatMap,
  closeSeatMap,
  createSeatMap,
  type FreeFrom,
  type LockedMap,
  notePlanChange,
  type OpenSeatMap,
  openSeatMap,
  type SeatChange,
  type SeatCounts,
  type SeatMapChange,
  type SeatMove,
  type SeatWork,
  type WithMap,
  withSeatMap,
} from './seat-map.ts'
export { seatsToSet, setSeats } from './set-seats.ts'
