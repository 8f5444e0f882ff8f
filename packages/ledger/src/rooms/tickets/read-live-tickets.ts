import type { TicketClass } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** A ticket that has not ended, as the ledger knows it. Times in milliseconds. */
export interface LiveTicket {
  number: number
  identity: string
  class: TicketClass
  place: number
  generation: number
  joinedAt: number
  state: 'waiting' | 'admitted' | 'active'
  away: boolean
  deadline: number | null
  sessionEnd: number | null
  fence: number | null
  extended: boolean
  reservedSeats: number
  limitKey: string | null
  shown: { name: string; avatar: string | null } | null
  /** The ticket of the group that its visitor stands with. */
  standsWith?: number
}

/** All live tickets of a room in chunks by number, so that a line of a million is never in memory as a whole. */
export async function* readLiveTickets(db: Kysely<Schema>, room: string, chunk = 5_000): AsyncGenerator<LiveTicket[]> {
  let after = 0
  while (true) {
    const tickets = await runStatement<LiveTicket>(db, READ_LIVE_TICKETS, [room, after, chunk])
    const last = tickets.at(-1)
    if (last === undefined) return
    yield tickets
    after = last.number
  }
}

/** Those who stand with a live ticket of another visitor; read after the tickets. Groups are few beside a line. */
export async function readCompanions(db: Kysely<Schema>, room: string): Promise<LiveTicket[]> {
  return await runStatement<LiveTicket>(db, READ_COMPANIONS, [room])
}

export interface LineMemory {
  /** Last place given to each class. */
  lastPlaces: [number, number, number, number]
  /** The highest place that was admitted; null when none was. */
  passedPlace: number | null
  usedCodes: string[]
  /** A ticket was drawn in this room. */
  hasStarted: boolean
  /** What the ledger knew when each earlier epoch ended. */
  marks: { epoch: number; mark: number; firstNumber: number }[]
}

/** What a line must remember beside its tickets; those below `drawnBelow` were drawn. */
export async function readLineMemory(db: Kysely<Schema>, room: string, drawnBelow: number): Promise<LineMemory> {
  const [row] = await runStatement<LineMemory & { earlierCodes: string[][] }>(db, READ_LINE_MEMORY, [room, drawnBelow])
  if (row === undefined) throw new Error(`The ledger has no room ${room}`)
  const { earlierCodes, usedCodes, ...memory } = row
  return { ...memory, usedCodes: [...usedCodes, ...earlierCodes.flat()] }
}

const READ_LIVE_TICKETS = loadStatement(import.meta.url, 'read-live-tickets.sql')
const READ_COMPANIONS = loadStatement(import.meta.url, 'read-companions.sql')
const READ_LINE_MEMORY = loadStatement(import.meta.url, 'read-line-memory.sql')
