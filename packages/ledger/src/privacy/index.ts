export { beginErasure, type TicketOfAccount, textsToErase, ticketsOfAccount } from './begin-erasure.ts'
export { endErasure, eraseAccount, listErasures } from './erase-account.ts'
export { exportAccount } from './export-account.ts'
export { forgetOld } from './forget-old.ts'
