import { type Call, prepareStatement } from '../statement.ts'
import type { TicketPatch } from './project-tickets.ts'

const PATCH_ENTRIES = prepareStatement(import.meta.url, 'patch-entries.sql')
const PATCH_RESERVED = prepareStatement(import.meta.url, 'patch-reserved.sql')

export interface Patching {
  readonly calls: readonly Call[]
  /** Throws unless the calls found every ticket, given what each returned. That one is missing is a bug. */
  check(found: readonly (readonly unknown[])[]): void
}

/** What has to be run to change tickets that the ledger has. */
export function patchesToMake(room: string, patches: readonly TicketPatch[]): Patching {
  const { ended = [], reserved = [], changed = [] } = Object.groupBy(patches, kindOf)
  const columns = [
    reserved.map(({ number }) => number),
    reserved.map(({ reserved_seats }) => reserved_seats),
    reserved.map(({ deadline }) => deadline),
  ]
  const made = [
    // Those who ended make room first: one identity may have ended and joined again in the same batch.
    { group: ended, call: { statement: PATCH_ENTRIES, parameters: [room, JSON.stringify(ended)] } },
    { group: changed, call: { statement: PATCH_ENTRIES, parameters: [room, JSON.stringify(changed)] } },
    { group: reserved, call: { statement: PATCH_RESERVED, parameters: [room, ...columns] } },
  ].filter(({ group }) => group.length > 0)
  return {
    calls: made.map(({ call }) => call),
    check(found) {
      made.forEach(({ group }, index) => {
        const known = found[index]?.length
        if (known === group.length) return
        throw new Error(`The ledger knows ${known} of ${group.length} tickets that changed in room ${room}`)
      })
    },
  }
}

/** Most changes of a busy sale are reservations, and a reservation is two columns. */
function kindOf(patch: TicketPatch): 'ended' | 'reserved' | 'changed' {
  if (patch.ended_at !== undefined) return 'ended'
  const { number, reserved_seats, deadline, ...rest } = patch
  const isReserved = reserved_seats !== undefined && deadline !== undefined && Object.keys(rest).length === 0
  return isReserved ? 'reserved' : 'changed'
}
