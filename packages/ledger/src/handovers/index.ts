export * from '../accounts/handover-codes.ts'
export { endSaleSessions, keepSaleSession, type SaleOwner } from '../accounts/sale-sessions.ts'
