export * from './handover-codes.ts'
export { endSaleSessions, keepSaleSession, type SaleOwner } from './sale-sessions.ts'
