import { foldPeaks } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../../engine/index.ts'
import { hashNode, unpackHashes } from './grow-tree.ts'

/** A signed head of a room's log: the size and the root of its tree at that moment. */
export interface LogHead {
  readonly size: number
  readonly root: Uint8Array
  /** By the ledger's clock. */
  readonly at: Date
  readonly kid: string
  /** The signed note, as it is served. */
  readonly checkpoint: string
}

export interface TreeState {
  /** Entries in the tree. */
  readonly size: number
  /** Null for an empty tree. */
  readonly root: Uint8Array | null
  /** Entries that the ledger has; more than in the tree while the tree catches up. */
  readonly logSize: number
  readonly logHost: string | null
  readonly head: LogHead | null
  /** How old the head is, by the ledger's clock. */
  readonly headAgeMs: number
}

export async function readTree(db: Kysely<Schema>, room: string): Promise<TreeState> {
  const [row] = await runStatement<TreeStateRow>(db, READ_TREE, [room])
  if (row === undefined) throw new Error(`The ledger has no room ${room}`)
  const { size, root, at, kid, checkpoint } = row
  const hasHead = size !== null && root !== null && at !== null && kid !== null && checkpoint !== null
  return {
    size: row.tree_size,
    root: foldPeaks(unpackHashes(row.tree_peaks), hashNode),
    logSize: row.log_size,
    logHost: row.log_host,
    head: hasHead ? { size, root, at, kid, checkpoint } : null,
    headAgeMs: row.head_age_ms ?? Number.POSITIVE_INFINITY,
  }
}

/**
 * Keeps a head and returns what is kept under its size. The table forbids a second one; that another server's has the same root is
 * checked here, because two roots of one size would be two histories. Rule N6.
 */
export async function keepHead(db: Kysely<Schema>, room: string, head: Omit<LogHead, 'at'>): Promise<LogHead> {
  const { size, root, kid, checkpoint } = head
  const [kept] = await runStatement<LogHead>(db, KEEP_HEAD, [room, size, root, kid, checkpoint])
  if (kept !== undefined) return kept
  const before = await db
    .selectFrom('log_heads')
    .select(['size', 'root', 'at', 'kid', 'checkpoint'])
    .where('room_id', '=', room)
    .where('size', '=', size)
    .executeTakeFirstOrThrow()
  if (Buffer.compare(before.root, root) !== 0) {
    throw new Error(`A head of room ${room} was signed for ${size} entries with another root`)
  }
  return before
}

/** The host in the name of a room's log. It is set once: of two callers both get the first one's. Rule N7. */
export async function fixLogHost(db: Kysely<Schema>, room: string, host: string): Promise<string> {
  await db.updateTable('rooms').set({ log_host: host }).where('id', '=', room).where('log_host', 'is', null).execute()
  const row = await db.selectFrom('rooms').select('log_host').where('id', '=', room).executeTakeFirstOrThrow()
  return row.log_host ?? host
}

interface TreeStateRow {
  tree_size: number
  tree_peaks: Uint8Array
  log_size: number
  log_host: string | null
  head_age_ms: number | null
  size: number | null
  root: Uint8Array | null
  at: Date | null
  kid: string | null
  checkpoint: string | null
}

const READ_TREE = loadStatement(import.meta.url, 'read-tree.sql')
const KEEP_HEAD = loadStatement(import.meta.url, 'keep-head.sql')

/** The roots of the signed heads of these sizes, in hex; a size that was never signed is missing. */
export async function rootsOfHeads(
  db: Kysely<Schema>,
  room: string,
  sizes: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('log_heads')
    .select(['size', 'root'])
    .where('room_id', '=', room)
    .where('size', 'in', [...sizes])
    .execute()
  return new Map(rows.map(({ size, root }) => [Number(size), Buffer.from(root).toString('hex')]))
}
