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
      for (const number of leaversIn(entry)) {
        leavers.send(number).catch((err: unknown) => {
          parts.log.warn({ err, room: room.id }, 'seats of a visitor who left were not released, retrying')
        })
      }
    }
  })
}

/** The tickets that left the floor. */
function leaversIn({ change }: LogEntry): readonly number[] {
  if (change.kind === 'completed') return [change.number]
  // Waiting tickets have ranks; those that were away or on the floor have none.
  return change.kind === 'expired' && change.ranks === null && change.reason !== 'no_show' ? change.numbers : []
}

function changesPass({ change }: LogEntry): boolean {
  switch (change.kind) {
    case 'completed':
    case 'expired':
    case 'moved':
    case 'adopted':
    case 'reserved':
    case 'corrected':
    case 'grouped':
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
    case 'attended':
    case 'classed':
    case 'codes':
    case 'prices':
    case 'draw':
    case 'sealed':
    case 'revealed':
      return false
  }
}
