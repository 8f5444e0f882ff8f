import type { Transaction } from 'kysely'
import type { Schema } from '../schema.ts'
import { prepareStatement, runStatement, type Statement } from '../statement.ts'
import type { TicketPatch } from './project-tickets.ts'

const PATCH_ENTRIES = prepareStatement(import.meta.url, 'patch-entries.sql')
const PATCH_RESERVED = prepareStatement(import.meta.url, 'patch-reserved.sql')

/** Changes tickets that the ledger has. That one of them is missing is a bug. */
export async function patchTickets(
  transaction: Transaction<Schema>,
  room: string,
  patches: readonly TicketPatch[],
): Promise<void> {
  const { ended = [], reserved = [], changed = [] } = Object.groupBy(patches, kindOf)
  const patch = async (statement: Statement, group: readonly TicketPatch[], parameters: readonly unknown[]) => {
    if (group.length === 0) return
    const found = await runStatement(transaction, statement, [room, ...parameters])
    if (found.length === group.length) return
    throw new Error(`The ledger knows ${found.length} of ${group.length} tickets that changed in room ${room}`)
  }
  // Those who ended make room first: one identity may have ended and joined again in the same batch.
  for (const group of [ended, changed]) await patch(PATCH_ENTRIES, group, [JSON.stringify(group)])
  const numbers = reserved.map(({ number }) => number)
  const seats = reserved.map(({ reserved_seats }) => reserved_seats)
  const deadlines = reserved.map(({ deadline }) => deadline)
  await patch(PATCH_RESERVED, reserved, [numbers, seats, deadlines])
}

/** Most changes of a busy sale are reservations, and a reservation is two columns. */
function kindOf(patch: TicketPatch): 'ended' | 'reserved' | 'changed' {
  if (patch.ended_at !== undefined) return 'ended'
  const { number, reserved_seats, deadline, ...rest } = patch
  const isReserved = reserved_seats !== undefined && deadline !== undefined && Object.keys(rest).length === 0
  return isReserved ? 'reserved' : 'changed'
}
