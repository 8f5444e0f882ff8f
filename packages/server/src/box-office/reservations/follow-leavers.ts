import { type LogEntry, numbersIn } from '@seatwise/domain'
import { isAboutTheWork } from '@seatwise/ledger'
import { createBatcher } from '@seatwise/line'
import type { Room } from '../../rooms/index.ts'
import type { KnownPasses } from './known-passes.ts'
import { giveBack, type TellParts } from './tell-line.ts'

const BATCH_MAX = 500
const QUEUED_MAX = 100_000

/**
 * Follows the log of a room: a visitor who left the floor gives their seats back (B19), and this server forgets their
 * pass. Every server does so; the second one finds nothing to do. The comparison of line and ledger finds what all of
 * them missed.
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
        parts.log.warn({ err, room: room.id }, 'seats of a visitor who left were not released, retrying')
      })
    }
  })
}

/** The ticket that left the floor; null when the entry is about something else. */
function leaverIn({ change }: LogEntry): number | null {
  if (change.kind === 'completed') return change.number
  // A waiting ticket has a rank; one that was away or on the floor has none.
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
