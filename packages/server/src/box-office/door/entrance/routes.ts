import { sign } from 'node:crypto'
import { DOOR_LIST_PREFIX, DOOR_PAGE_MAX, type DoorPage, type SignedDoorPage } from '@seatwise/domain'
import { type DoorScan, type DoorTicket, readDoorCounts, readDoorList, readDoorScans, takeScan } from '@seatwise/ledger'
import { type App, actorOf } from '../../../http/index.ts'
import type { SigningKeys } from '../../../identity/index.ts'
import type { BoxOfficeServices } from '../../box-office-services.ts'
import { readEventId } from '../../events/event-id.ts'
import { EventPath } from '../../reservations/schemas.ts'
import { DoorAnswer, DoorListAnswer, DoorListQuery, DoorQuery, ScansAnswer, ScansBody } from './schemas.ts'

const tags = ['door']
const access = { act: 'check_in', on: 'event' } as const
const SCANS_TOLD_MAX = 1_000
const TROUBLED_TOLD_MAX = 50
/** Scans become visible in another order than they are stamped: what a call may have missed, the next one tells. */
const OVERLAP_MS = 10_000

/** What devices at the doors of an event need: the list to work without a connection, the scans they made, and the counts. */
export function entranceRoutes(app: App, services: BoxOfficeServices): void {
  const { ledger, identity } = services
  app.get(
    '/api/events/:id/door-list',
    {
      config: { access },
      schema: {
        tags,
        summary: 'The e-tickets of an event, signed, for a device that may lose its connection',
        params: EventPath,
        querystring: DoorListQuery,
        response: { 200: DoorListAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const after = request.query.after ?? null
      const tickets = await readDoorList(ledger.db, { eventId, after, max: DOOR_PAGE_MAX })
      const next = tickets.length === DOOR_PAGE_MAX ? (tickets.at(-1)?.id ?? null) : null
      const at = new Date(services.now()).toISOString()
      reply.header('cache-control', 'no-store')
      return signPage(identity.keys, { eventId, at, next, tickets: tickets.map(listed) })
    },
  )
  app.get(
    '/api/events/:id/door',
    {
      config: { access },
      schema: {
        tags,
        summary: 'How many are inside, by door; the scans since a time; and who should not have been let in',
        params: EventPath,
        querystring: DoorQuery,
        response: { 200: DoorAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const { since } = request.query
      const at = new Date(services.now())
      const from = since === undefined ? null : new Date(Date.parse(since) - OVERLAP_MS)
      const [counts, scans, troubled] = await Promise.all([
        readDoorCounts(ledger.db, eventId),
        from === null
          ? []
          : readDoorScans(ledger.db, { eventId, since: from, onlyTroubled: false, max: SCANS_TOLD_MAX }),
        readDoorScans(ledger.db, { eventId, since: new Date(0), onlyTroubled: true, max: TROUBLED_TOLD_MAX }),
      ])
      reply.header('cache-control', 'no-store')
      return {
        ...counts,
        at: at.toISOString(),
        doors: [...counts.doors],
        scans: scans.map(shown),
        isComplete: scans.length < SCANS_TOLD_MAX,
        troubled: troubled.map(shown),
      }
    },
  )
  scanRoutes(app, services)
}

function scanRoutes(app: App, { ledger }: BoxOfficeServices): void {
  app.post(
    '/api/events/:id/door/scans',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Bring the scans that a device decided while it had no connection; each is taken once',
        params: EventPath,
        body: ScansBody,
        response: { 200: ScansAnswer },
      },
    },
    async (request, reply) => {
      const eventId = readEventId(request.params.id)
      const by = actorOf(request).id
      const door = request.body.door.trim()
      const items = []
      for (const { id, eticketId, generation, at } of request.body.scans) {
        const scan = { id, door, letInAt: new Date(at) }
        items.push({ id, outcome: await takeScan(ledger, { eventId, eticketId, by, generation, scan }) })
      }
      reply.header('cache-control', 'no-store')
      return { items }
    },
  )
}

function signPage(keys: SigningKeys, content: DoorPage): SignedDoorPage {
  const page = JSON.stringify(content)
  const { kid, privateKey } = keys.signer()
  return { page, kid, signature: sign(null, Buffer.from(DOOR_LIST_PREFIX + page), privateKey).toString('base64url') }
}

function listed({ id, generation, shortCode, isVoid, checkedInAt, seatTypeName, ...rest }: DoorTicket) {
  const { row, number, holder } = rest
  const seat = { type: seatTypeName, row, number }
  return { id, generation, shortCode, isVoid, checkedInAt: checkedInAt?.toISOString() ?? null, ...seat, holder }
}

function shown({ id, eticketId, door, scannedAt, outcome, checkedInAt, countedDoor, ...at }: DoorScan) {
  const seat = { type: at.seatTypeName, row: at.row, number: at.number }
  const times = { scannedAt: scannedAt.toISOString(), checkedInAt: checkedInAt?.toISOString() ?? null }
  return { id, eticketId, door, outcome, countedDoor, seat, ...times }
}
