import { type LogEntry, numbersIn } from '@seatwise/domain'
import { isAboutTheWork } from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'
import type { Room } from '../../rooms/index.ts'
import type { KnownPasses } from './known-passes.ts'
import { giveBack, type TellParts } from './tell-line.ts'

const BATCH_MAX = 500
const QUEUED_MAX = 100_000

/**
 * Follows the log of a room: whoever left the floor gives their seats back (B19), and what was known of them here is
 * forgotten. Every server does it; whoever comes second finds nothing. What all of them missed, the comparison of line
 * and ledger finds.
 */
export function followLeavers(parts: TellParts & { passes: KnownPasses }, room: Room): void {
  const { eventId } = room.row
  if (eventId === null) return
  const leavers = createBatcher<number, null>({
    maxItems: BATCH_MAX,
    maxQueued: QUEUED_MAX,
    maxInFlight: 1,
    isAboutItems: isAboutTheWork,
    async run(numbers) {
      await giveBack(parts, { eventId, roomId: room.id, ticketNumbers: numbers })
      return numbers.map(() => null)
    },
  })
  room.onEntries((entries) => {
    for (const entry of entries) {
      if (changesPass(entry)) for (const changed of numbersIn(entry.change)) parts.passes.forget(room.id, changed)
      const number = leaverIn(entry)
      if (number === null) continue
      leavers.send(number).catch((err: unknown) => {
        parts.log.warn({ err, room: room.id }, 'seats of somebody who left were not given back, they will be')
      })
    }
  })
}

/** The ticket that left the floor; null when the entry tells of something else. */
function leaverIn({ change }: LogEntry): number | null {
  if (change.kind === 'completed') return change.number
  // Who was waiting has a rank; who was away or on the floor has none.
  return change.kind === 'expired' && change.rank === null && change.reason !== 'no_show' ? change.number : null
}

function changesPass({ change }: LogEntry): boolean {
  switch (change.kind) {
    case 'completed':
    case 'expired':
    case 'moved':
    case 'adopted':
    case 'reserved':
    case 'corrected':
      return true
    case 'opened':
    case 'joined':
    case 'restored':
    case 'admitted':
    case 'entered':
    case 'away':
    case 'back':
    case 'extended':
    case 'changed':
      return false
  }
}
