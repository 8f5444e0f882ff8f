export { countSales, type SeatTypeSales } from './count-sales.ts'
export { type FoundReservation, findReservations } from './find-reservations.ts'
