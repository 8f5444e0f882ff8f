export { type PlannedSeat, type PlannedType, readSeatPlan, type SeatPlan } from './read-seat-plan.ts'
