export * from './brands/index.ts'
export * from './buying/index.ts'
export * from './etickets/index.ts'
export * from './events/index.ts'
export * from './history/index.ts'
export * from './ledger.ts'
export * from './ledger-errors.ts'
export {
  connectToRunningServer,
  type LocalServer,
  type QueryAnswer,
  type ServerStatus,
} from './local-api/connect-to-running-server.ts'
export { queryReadOnly, TooManyRows } from './local-api/query-read-only.ts'
export { removeServerFile, writeServerFile } from './local-api/server-file.ts'
export { type MigrationReport, migrate, SchemaMismatch } from './migrate.ts'
export * from './operators/index.ts'
export * from './outbox/index.ts'
export * from './payments/index.ts'
export * from './reconcile/index.ts'
export * from './rooms/index.ts'
export * from './sales/index.ts'
export * from './schema.ts'
export { neededSchemaVersion, schemaVersions } from './schema-version.ts'
export * from './seat-plan/index.ts'
export * from './statement.ts'
export * from './ticket-seats/index.ts'
export * from './webhooks/index.ts'
