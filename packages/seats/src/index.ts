export * from './ledger.ts'
export { type MigrationReport, migrate, SchemaMismatch } from './migrate.ts'
export * from './schema.ts'
export * from './statement.ts'
