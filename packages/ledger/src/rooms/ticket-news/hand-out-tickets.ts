import type { LogEntry } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'
import { TICKET_NEWS_TYPES } from '../../outbox/index.ts'
import { fromStored, type StoredEntry } from '../log/canonical.ts'

const LIST_BEHIND = loadStatement(import.meta.url, 'list-behind.sql')
const READ_AUDIT = loadStatement(import.meta.url, '../log/read-audit.sql')
const INSERT_CALL = loadStatement(import.meta.url, 'insert-call.sql')
const MARK_TOLD = loadStatement(import.meta.url, 'mark-told.sql')
const FORGET_TOLD = loadStatement(import.meta.url, 'forget-told.sql')

/** Any number, as long as no other lock of ours has it. */
const HAND_OUT_LOCK = 7_281_906
/** Items of one call. */
const ITEMS_MAX = 500
/** Entries of the log that one step reads. */
const ENTRIES_MAX = 1_000
/** Rooms that one step serves, and calls about one room on their way to one webhook. */
const ROOMS_MAX = 20
const AHEAD_MAX = 8

/** One thing that happened to a ticket, as a webhook is told. */
export interface TicketItem {
  readonly type: string
}

export interface RoomOfTickets {
  readonly roomId: string
  /** Null for a room without an event. */
  readonly eventId: string | null
}

interface Behind extends RoomOfTickets {
  readonly webhookId: string
  readonly types: readonly string[]
  readonly epoch: number
  readonly seq: number
}

/**
 * Writes calls with ticket news, from the ledger's copy of the logs, and how far each webhook was told, in one transaction:
 * a crash loses and repeats nothing. One server does it at a time; the others find nothing to do. Returns whether there may
 * be more. Rule B69.
 */
export async function handOutTickets(
  db: Kysely<Schema>,
  describe: (room: RoomOfTickets, entry: LogEntry) => readonly TicketItem[],
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      ours: boolean
    }>`select pg_try_advisory_xact_lock(${HAND_OUT_LOCK}::bigint) as ours`.execute(transaction)
    if (rows[0]?.ours !== true) return false
    // Its own statement, hence a snapshot from after the lock.
    const behind = await runStatement<Behind>(transaction, LIST_BEHIND, [TICKET_NEWS_TYPES, AHEAD_MAX, ROOMS_MAX])
    let isAhead = false
    for (const one of behind) isAhead = (await tellRoom(transaction, one, describe)) || isAhead
    return isAhead
  })
}

/** Writes the next call about one room, if its next entries are about tickets; false when it has no entries. */
async function tellRoom(
  db: Kysely<Schema>,
  behind: Behind,
  describe: (room: RoomOfTickets, entry: LogEntry) => readonly TicketItem[],
): Promise<boolean> {
  const { webhookId, roomId, types, epoch, seq } = behind
  const stored = await runStatement<StoredEntry>(db, READ_AUDIT, [roomId, epoch, seq, ENTRIES_MAX])
  const items: TicketItem[] = []
  let last: StoredEntry | null = null
  for (const entry of stored) {
    const told = describe(behind, fromStored(entry)).filter(({ type }) => types.includes(type))
    if (items.length > 0 && items.length + told.length > ITEMS_MAX) break
    items.push(...told)
    last = entry
  }
  if (last === null) return false
  // An entry about more tickets than fit into one call is the only one of its step, and makes several calls.
  for (let from = 0; from < items.length; from += ITEMS_MAX) {
    const payload = JSON.stringify({ items: items.slice(from, from + ITEMS_MAX) })
    await runStatement(db, INSERT_CALL, [webhookId, roomId, payload])
  }
  await runStatement(db, MARK_TOLD, [webhookId, roomId, last.epoch, last.seq])
  return true
}

/** Deletes delivered calls with ticket news; returns how many. */
export async function forgetToldTickets(db: Kysely<Schema>, max: number): Promise<number> {
  return (await runStatement(db, FORGET_TOLD, [max])).length
}
