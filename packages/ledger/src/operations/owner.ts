import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema, type Transaction } from '../engine/index.ts'

const LOCK_OWNER = loadStatement(import.meta.url, 'lock-owner.sql')
const READ_OWNER = loadStatement(import.meta.url, 'read-owner.sql')

interface OwnerRow {
  readonly owner: string
}

/**
 * The owner of what this account or guest asks to write: the account that has adopted the guest, if one has. It cannot
 * change until the transaction ends. Work that needs a seat map names its owners there instead.
 */
export async function lockOwner(transaction: Transaction, actorId: string): Promise<string> {
  const [, [row]] = await transaction.together<[unknown[], OwnerRow[]]>([
    { statement: LOCK_OWNER, parameters: [actorId] },
    { statement: READ_OWNER, parameters: [actorId] },
  ])
  return row?.owner ?? actorId
}

/** The same for work that holds the owner's lock already, with a seat map. */
export async function ownerOf(transaction: Transaction, actorId: string): Promise<string> {
  const [row] = await transaction.run<OwnerRow>(READ_OWNER, [actorId])
  return row?.owner ?? actorId
}

/** Whether what belongs to `ownerId` is the actor's own: also a guest's who was adopted by that account a moment ago. */
export async function isOwn(db: Kysely<Schema>, actorId: string, ownerId: string): Promise<boolean> {
  if (actorId === ownerId) return true
  const [row] = await runStatement<OwnerRow>(db, READ_OWNER, [actorId])
  return row?.owner === ownerId
}
