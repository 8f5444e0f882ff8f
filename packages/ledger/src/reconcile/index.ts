export * from './reconcile-event.ts'
export * from './reconcile-events.ts'
