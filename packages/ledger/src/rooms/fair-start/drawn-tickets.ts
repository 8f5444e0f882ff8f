import type { Kysely } from 'kysely'
import { type Ledger, loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** Tickets in one page, and in one statement that stores places. */
const PAGE = 20_000
const PLACED_AT_ONCE = 5_000

/** The tickets that are drawn: `classes[i]` is the class of ticket `numbers[i]`. */
export interface DrawnTickets {
  readonly numbers: Float64Array
  readonly classes: Uint8Array
}

/**
 * The tickets that waited or were away right before an entry of a room's log, from the ledger's copy of the log alone: so
 * every server, and every reader of the audit, finds the same ones, whatever happened since.
 */
export async function readDrawnTickets(
  { db }: Pick<Ledger, 'db'>,
  room: string,
  seal: { readonly epoch: number; readonly seq: number },
): Promise<DrawnTickets> {
  const classes = new Map<number, number>()
  let after = { epoch: 0, seq: 0 }
  while (true) {
    const [page] = await runStatement<Page>(db, READ_DRAWN_TICKETS, [
      ...[room, seal.epoch, seal.seq],
      ...[after.epoch, after.seq, PAGE],
    ])
    if (page === undefined || page.epoch === null || page.seq === null) break
    for (const ticket of page.tickets.split(',')) {
      const [number, ticketClass] = ticket.split(':')
      classes.set(Number(number), Number(ticketClass))
    }
    after = { epoch: page.epoch, seq: page.seq }
  }
  const ended = await runStatement<{ numbers: number[] }>(db, READ_ENDED_BEFORE, [room, seal.epoch, seal.seq])
  for (const { numbers } of ended) for (const number of numbers) classes.delete(number)
  return { numbers: Float64Array.from(classes.keys()), classes: Uint8Array.from(classes.values()) }
}

interface Page {
  epoch: number | null
  seq: number | null
  tickets: string
}

/** Stores the places that tickets drew, in bounded statements; storing them again changes nothing. */
export async function placeTickets(
  db: Kysely<Schema>,
  room: string,
  placed: readonly { readonly number: number; readonly place: number }[],
): Promise<void> {
  for (let from = 0; from < placed.length; from += PLACED_AT_ONCE) {
    const some = placed.slice(from, from + PLACED_AT_ONCE)
    const numbers = `{${some.map(({ number }) => number).join()}}`
    await runStatement(db, PLACE_TICKETS, [room, numbers, `{${some.map(({ place }) => place).join()}}`])
  }
}

const READ_DRAWN_TICKETS = loadStatement(import.meta.url, 'read-drawn-tickets.sql')
const READ_ENDED_BEFORE = loadStatement(import.meta.url, 'read-ended-before.sql')
const PLACE_TICKETS = loadStatement(import.meta.url, 'place-tickets.sql')
