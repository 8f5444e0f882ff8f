import { randomUUID } from 'node:crypto'
import { Counter } from 'prom-client'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { RealtimeSettings } from '../../config/index.ts'
import { measureBuffers } from '../../kit/index.ts'
import { alwaysHeld, sharedLease, ticketId } from '../../rooms/index.ts'
import { privateChannel, publicChannel } from '../channel-name.ts'
import { findReservations } from '../news/find-reservations.ts'
import { SeatNews } from '../news/seat-news.ts'
import type { Realtime } from '../realtime.ts'
import { openAbly } from './ably-client.ts'
import { hostOptions } from './ably-hosts.ts'
import { Publisher } from './publisher.ts'
import { RoomPublication } from './room-publication.ts'

/** Longer than any pause of a server, shorter than any visitor waits for a turn. */
const LEASE_MS = 5_000

/** Publishes every room that is open here to Ably, and gives visitors tokens for their own channels. */
export async function openAblyRealtime(
  services: BoxOfficeServices,
  settings: RealtimeSettings & { provider: 'ably' },
): Promise<Realtime> {
  const { rooms, redis, log, boxOffice, ledger, now } = services
  const client = await openAbly(settings)
  const outcomes = new Counter({
    name: 'seatwise_ably_messages_total',
    help: 'Messages for Ably, by outcome',
    labelNames: ['outcome'],
    registers: [services.metrics],
  })
  const publisher = new Publisher(client, log, (outcome) => outcomes.inc({ outcome }))
  const lease =
    redis === null ? alwaysHeld() : sharedLease(redis, { name: 'publisher', serverId: randomUUID(), leaseMs: LEASE_MS })
  const publications: RoomPublication[] = []
  measureBuffers(services.metrics, {
    ably_messages: () => publisher.queued,
    ably_rooms: () => publications.length,
  })
  rooms.onOpen((room) => {
    const { eventId } = room.row
    publications.push(
      new RoomPublication({
        ...{ room, client, publisher, lease, now },
        findReservation: eventId === null ? null : findReservations(ledger, room.id),
        seats: eventId === null ? null : new SeatNews(boxOffice.seatMaps, eventId),
        onError: (err) => log.debug({ err, room: room.id }, 'a room is not published at the moment'),
      }),
    )
  })
  return {
    provider: 'ably',
    async accessFor(room, address, { number }, shown = null) {
      const id = ticketId(room.id, number)
      const channels = [publicChannel(address), privateChannel(address, id)] as const
      const tokenRequest = await client.tokenRequest(id, {
        [channels[0]]: shown === null ? ['subscribe'] : ['subscribe', 'presence'],
        [channels[1]]: ['subscribe'],
      })
      return { provider: 'ably', channels, tokenRequest, clientOptions: hostOptions(settings.url), shown }
    },
    async close() {
      for (const publication of publications) publication.close()
    },
  }
}
