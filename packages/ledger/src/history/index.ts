export * from '../operators/history/read-sale-facts.ts'
export * from '../rooms/log/read-log.ts'
