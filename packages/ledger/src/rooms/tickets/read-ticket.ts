import type { EndReason, TicketClass, TicketState } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** A ticket as the ledger knows it. Times in milliseconds. */
export interface TicketRow {
  number: number
  identity: string
  class: TicketClass
  place: number
  state: TicketState
  reason: EndReason | null
  away: boolean
  generation: number
  extended: boolean
  joinedAt: number
  /** The ticket of the group that its visitor stands with, or stood with until the end. */
  standsWith: number | null
  /** Of a ticket that a group goes on with: the identity of its own visitor, who has left. */
  leftIdentity: string | null
  name: string | null
  avatar: string | null
}

export async function readTicket(db: Kysely<Schema>, room: string, number: number): Promise<TicketRow | null> {
  const [row] = await readTickets(db, room, [number])
  return row ?? null
}

/** Those of the tickets that the ledger has. */
export async function readTickets(db: Kysely<Schema>, room: string, numbers: readonly number[]): Promise<TicketRow[]> {
  return await runStatement<TicketRow>(db, READ_TICKETS, [room, numbers])
}

const READ_TICKETS = loadStatement(import.meta.url, 'read-tickets.sql')
