import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const READ_OPERATION = loadStatement(import.meta.url, 'read-operation.sql')

/** What took effect under a key of an account or guest. The answer is null while it is not decided. */
export interface StoredOperation {
  /** Who asked: the account itself, or a guest it has adopted. */
  readonly actorId: string
  readonly fingerprint: string
  readonly answer: { readonly statusCode: number; readonly body: Record<string, unknown> } | null
}

interface OperationRow {
  readonly actorId: string
  readonly fingerprint: string
  readonly statusCode: number | null
  readonly answer: Record<string, unknown> | null
}

/** Null when nothing took effect under that key. The fingerprint tells apart what account and guest asked under one key. */
export async function readOperation(
  db: Kysely<Schema>,
  actorId: string,
  key: string,
  fingerprint: string | null = null,
): Promise<StoredOperation | null> {
  const [row] = await runStatement<OperationRow>(db, READ_OPERATION, [actorId, key, fingerprint])
  if (row === undefined) return null
  const { statusCode, answer, ...rest } = row
  return { ...rest, answer: statusCode === null || answer === null ? null : { statusCode, body: answer } }
}
