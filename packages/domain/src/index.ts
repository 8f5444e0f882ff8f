export * from './errors.ts'
export * from './reservation-state.ts'
export * from './room-settings.ts'
export * from './ticket-state.ts'
