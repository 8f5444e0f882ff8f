export { EXPORTS, exportRows } from './export-rows.ts'
export {
  type EndFact,
  type RefundFact,
  type ReservationFact,
  readSaleFacts,
  type SaleFacts,
  type SeatCountFact,
} from './history/read-sale-facts.ts'
export { listSales, type SaleOfOperator } from './list-sales.ts'
export { type Flow, readFlows, readSeatFlows, type SeatFlow } from './read-flows.ts'
export { readAway, readTicketState, type TicketOfOperator } from './read-ticket-state.ts'
export {
  DRIFT_KINDS,
  type Drift,
  type DriftKind,
  type Reconciled,
  reconcileEvent,
} from './reconcile/reconcile-event.ts'
export { type ReconciledEvents, type ReconcileOptions, reconcileEvents } from './reconcile/reconcile-events.ts'
export { type Rehearsal, readRehearsals, registerRehearsal } from './rehearsals.ts'
export { countSales, type SeatTypeSales } from './sales/count-sales.ts'
export { findReservations } from './sales/find-reservations.ts'
