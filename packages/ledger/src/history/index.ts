export * from './read-log.ts'
export * from './read-sale-facts.ts'
