import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

export interface ShowWish {
  readonly roomId: string
  readonly number: number
  readonly showMe: boolean
  /** Null for the name that was given when joining. */
  readonly name: string | null
}

/**
 * Shows the holder of a ticket to those around, or no longer. The line keeps what was said when joining; what is said
 * later is the ledger's, which the line is loaded from. Null when there is no such ticket, or no name to show.
 */
export async function showTicket(
  db: Kysely<Schema>,
  { roomId, number, showMe, name }: ShowWish,
): Promise<{ name: string | null } | null> {
  const [row] = await runStatement<{ name: string | null }>(db, SHOW_TICKET, [roomId, number, showMe, name])
  return row ?? null
}

type Shown = { readonly name: string; readonly avatar: string | null } | null

/** Who of these tickets is shown; those that the ledger has not heard of yet are missing. */
export async function readShown(
  db: Kysely<Schema>,
  roomId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Shown>> {
  const rows = await runStatement<{ number: number; shown: Shown }>(db, READ_SHOWN, [roomId, numbers])
  return new Map(rows.map(({ number, shown }) => [number, shown]))
}

const SHOW_TICKET = loadStatement(import.meta.url, 'show-ticket.sql')
const READ_SHOWN = loadStatement(import.meta.url, 'read-shown.sql')
