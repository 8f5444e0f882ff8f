export { type PlannedSeat, type PlannedType, readSeatPlan, type SeatPlan } from '../seat-map/read-seat-plan.ts'
