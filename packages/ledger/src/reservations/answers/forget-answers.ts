import { type Call, prepareStatement } from '../../engine/index.ts'

const FORGET_ORDER_ANSWERS = prepareStatement(import.meta.url, 'forget-order-answers.sql')
const FORGET_TICKET_ANSWERS = prepareStatement(import.meta.url, 'forget-ticket-answers.sql')

/**
 * Deletes what buyers said about reservations that ended unpaid. It is called where they end, and where a payment that
 * might have revived one is decided; what is paid or refunded keeps its answers.
 */
export function answersToForget(reservationIds: readonly string[]): Call[] {
  const parameters = [reservationIds]
  return [
    { statement: FORGET_TICKET_ANSWERS, parameters },
    { statement: FORGET_ORDER_ANSWERS, parameters },
  ]
}
