export { countSales, type SeatTypeSales } from '../operators/sales/count-sales.ts'
export { type FoundReservation, findReservations } from '../operators/sales/find-reservations.ts'
