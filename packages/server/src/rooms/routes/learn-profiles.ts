import type { LogEntry, TicketProfile } from '@seatwise/domain'
import { readWaitingProfiles } from '@seatwise/ledger'
import type { App } from '../../http/index.ts'
import { readGently } from '../../kit/index.ts'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import type { Profiles } from './profiles.ts'

/**
 * Learns the names of waiting visitors before they ask: from the log, and, for those who joined before this server read
 * it, from the ledger in the background. So a poll needs no store, also on a server that never saw the visitor.
 */
export function learnProfiles(
  app: App,
  { ledger, rooms, log }: Pick<RoomServices, 'ledger' | 'rooms' | 'log'>,
  profiles: Profiles,
): void {
  const readings = new Set<Promise<void>>()
  let isOpen = true
  rooms.onOpen((room) => {
    room.onEntries((entries) => learnFromLog(profiles, room, entries))
    const reading = readEarlier(room)
      // Their polls look the names up.
      .catch((err: unknown) => log.debug({ err, room: room.id }, 'names of waiting visitors could not be read ahead'))
      .finally(() => readings.delete(reading))
    readings.add(reading)
  })
  app.addHook('onClose', async () => {
    isOpen = false
    await Promise.all(readings)
  })

  async function readEarlier(room: Room): Promise<void> {
    let after = 0
    await readGently(
      async () => {
        const page = await readWaitingProfiles(ledger.replica, room.id, after)
        for (const { number, name, avatar } of page) {
          if (profiles.remembered(room.id, number) === undefined) profiles.remember(room.id, number, { name, avatar })
        }
        after = page.at(-1)?.number ?? after
        return page.length === 0 ? 'done' : 'more'
      },
      () => isOpen,
    )
  }
}

function learnFromLog(profiles: Profiles, room: Room, entries: readonly LogEntry[]): void {
  for (const { change } of entries) {
    // Visitors who joined at this server are known already.
    if (change.kind !== 'joined' || profiles.remembered(room.id, change.number) !== undefined) continue
    const { name = null, avatar = null } = profileIn(change.profile)
    profiles.remember(room.id, change.number, { name, avatar })
  }
}

/** Most guests have neither name nor avatar, and need no parsing. Quotes inside of values are escaped in JSON. */
function profileIn(text: string): TicketProfile {
  // Written by `joinLine`, from a typed profile.
  return text.includes('"name":') || text.includes('"avatar":') ? (JSON.parse(text) as TicketProfile) : {}
}
