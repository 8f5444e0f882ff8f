export * from '../operators/reconcile/reconcile-event.ts'
export * from '../operators/reconcile/reconcile-events.ts'
