import { type Call, prepareStatement } from '../../engine/index.ts'
import type { TicketPatch } from './project-tickets.ts'

const PATCH_ENTRIES = prepareStatement(import.meta.url, 'patch-entries.sql')
const PATCH_AWAY = prepareStatement(import.meta.url, 'patch-away.sql')
const PATCH_RESERVED = prepareStatement(import.meta.url, 'patch-reserved.sql')

export interface Patching {
  readonly calls: readonly Call[]
  /** Throws unless the calls found every ticket, given what each returned: a missing ticket is a bug. */
  check(found: readonly (readonly unknown[])[]): void
}

/** What has to be run to change tickets that the ledger has. */
export function patchesToMake(room: string, patches: readonly TicketPatch[]): Patching {
  const { ended = [], reserved = [], away = [], changed = [] } = Object.groupBy(patches, kindOf)
  const columns = [
    reserved.map(({ number }) => number),
    reserved.map(({ reserved_seats = null }) => reserved_seats),
    reserved.map(({ deadline = null }) => deadline),
  ]
  const awayColumns = [away.map(({ number }) => number), away.map((patch) => patch.away === true)]
  const made = [
    // Ended tickets first: an identity, which has at most one live ticket, may have joined again in the same batch.
    { group: ended, call: { statement: PATCH_ENTRIES, parameters: [room, JSON.stringify(ended)] } },
    { group: changed, call: { statement: PATCH_ENTRIES, parameters: [room, JSON.stringify(changed)] } },
    { group: reserved, call: { statement: PATCH_RESERVED, parameters: [room, ...columns] } },
    { group: away, call: { statement: PATCH_AWAY, parameters: [room, ...awayColumns] } },
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
/** The number, and whether it is away. */
const AWAY_KEYS = 2

/** Most changes of a busy sale are reservations, and a reservation is two columns; a crowd that closes its tabs is one. */
function kindOf(patch: TicketPatch): 'ended' | 'reserved' | 'away' | 'changed' {
  if (patch.ended_at !== undefined) return 'ended'
  if (patch.away !== undefined && Object.keys(patch).length === AWAY_KEYS) return 'away'
  const hasBoth = patch.reserved_seats !== undefined && patch.deadline !== undefined
  return hasBoth && Object.keys(patch).length === RESERVED_KEYS ? 'reserved' : 'changed'
}
