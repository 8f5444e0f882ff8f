import { type Call, plainArray, prepareStatement } from '../../engine/index.ts'
import type { TicketPatch } from './project-tickets.ts'

const PATCH_ENTRIES = prepareStatement(import.meta.url, 'patch-entries.sql')
const PATCH_RESERVED = prepareStatement(import.meta.url, 'patch-reserved.sql')

export interface Patching {
  readonly calls: readonly Call[]
  /** Throws unless the calls found every ticket, given what each returned: a missing ticket is a bug. */
  check(found: readonly (readonly unknown[])[]): void
}

/** What has to be run to change tickets that the ledger has. */
export function patchesToMake(room: string, patches: readonly TicketPatch[]): Patching {
  const { ended = [], reserved = [], changed = [] } = Object.groupBy(patches, kindOf)
  const columns = [
    plainArray(reserved, ({ number }) => number),
    plainArray(reserved, ({ reserved_seats = null }) => reserved_seats),
    plainArray(reserved, ({ deadline = null }) => deadline),
  ]
  const made = [
    // Ended tickets first: an identity, which has at most one live ticket, may have joined again in the same batch.
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

/** The number, the seats and the deadline. */
const RESERVED_KEYS = 3

/** Most changes of a busy sale are reservations, and a reservation is two columns. */
function kindOf(patch: TicketPatch): 'ended' | 'reserved' | 'changed' {
  if (patch.ended_at !== undefined) return 'ended'
  const hasBoth = patch.reserved_seats !== undefined && patch.deadline !== undefined
  return hasBoth && Object.keys(patch).length === RESERVED_KEYS ? 'reserved' : 'changed'
}
