import type { DrawAnnounced, Revealed, Sealed } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** The draw of a room, as its log announced it last, and how far it is. */
export interface DrawRow {
  readonly note: Omit<DrawAnnounced, 'kind'>
  /** The entry that seals, with its position in the log. Null until the ledger has it. */
  readonly sealed: (Omit<Sealed, 'kind'> & { readonly epoch: number; readonly seq: number }) | null
  readonly revealed: Omit<Revealed, 'kind'> | null
  readonly commitment: string
  readonly sealedSecret: string
  readonly sealedWith: string
  readonly redraws: number
  /** The tree of the log right before the entry that seals. */
  readonly treeSize: number | null
  readonly treeRoot: string | null
  /** Of the beacon's round. */
  readonly signature: string | null
}

/** Null when the log has announced no draw. */
export async function readDraw(db: Kysely<Schema>, room: string): Promise<DrawRow | null> {
  const [row] = await runStatement<DrawRow>(db, READ_DRAW, [room])
  return row ?? null
}

/** When the first head was signed that has so many entries; null while there is none. */
export async function readCoveredAt(db: Kysely<Schema>, room: string, size: number): Promise<number | null> {
  const [row] = await runStatement<{ at: number | null }>(db, READ_COVERED_AT, [room, size])
  return row?.at ?? null
}

const READ_COVERED_AT = loadStatement(import.meta.url, 'read-covered-at.sql')
const READ_DRAW = loadStatement(import.meta.url, 'read-draw.sql')
