export { Head } from './log-head.ts'
export { orNull } from './or-null.ts'
export { ReservationAnswer } from './reservation-answer.ts'
export { type ShownReservation, showReservation } from './show-reservation.ts'
