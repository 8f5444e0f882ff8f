import { type AuditEntry, findPosition, readAudit, readRevoked } from '@seatwise/ledger'
import Type, { type Static } from 'typebox'
import type { App } from '../../http/index.ts'
import { sendDocument } from '../../kit/index.ts'
import type { Room } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { ticketId } from '../tokens/ticket-token.ts'
import type { RoomAddress } from './room-address.ts'
import { AuditQuery, RevokedQuery, RoomPath } from './schemas.ts'

const tags = ['room']
const everybody = { access: 'public' } as const
const REVOKED_MAX = 1_000

const AuditAnswer = Type.Object({
  items: Type.Array(Type.Unsafe<AuditEntry>(Type.Object({}, { additionalProperties: true }))),
  nextAfter: Type.Union([Type.String(), Type.Null()]),
})
const RevokedAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      ticketId: Type.String(),
      fence: Type.Integer({ description: 'Passes of this ticket with a fence up to this one no longer count' }),
      until: Type.String({ format: 'date-time', description: 'When they would have ended in any case' }),
    }),
  ),
  since: Type.String({ description: 'Ask for what comes after with this' }),
})

/** The public routes of a room: its state, the passes that were revoked, and its whole log. */
export function publicRoutes(app: App, { ledger }: RoomServices, { path, find }: RoomAddress): void {
  app.get(
    `${path}/queue/now`,
    {
      config: everybody,
      schema: { tags, summary: 'How the room stands, the same for every caller', params: RoomPath },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const { answer } = await room.now()
      return sendDocument(request, reply, answer)
    },
  )

  app.get(
    `${path}/queue/revoked`,
    {
      config: everybody,
      schema: {
        tags,
        summary: 'Passes that ended before their time',
        params: RoomPath,
        querystring: RevokedQuery,
        response: { 200: RevokedAnswer },
      },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const since = readPosition(request.query.since, room.epoch)
      // Giving up a reservation may have moved the deadline to before the pass expires.
      const keptSeconds = 2 * room.settings.reservationSeconds
      const page = await readRevoked(ledger.replica, room.id, { after: since, max: REVOKED_MAX, keptSeconds })
      reply.header('cache-control', 'public, max-age=1')
      return {
        items: page.passes.map(({ number, fence, until }) => ({
          ticketId: ticketId(room.id, number),
          fence,
          until: until.toISOString(),
        })),
        since: `${page.upTo.epoch}-${page.upTo.seq}`,
      }
    },
  )

  app.get(
    `${path}/queue/audit`,
    {
      config: everybody,
      schema: {
        tags,
        summary: 'Everything that happened in the room, without names, chained by hashes',
        params: RoomPath,
        querystring: AuditQuery,
        response: { 200: AuditAnswer },
      },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const page = await readPage(ledger, room, request.query)
      // A bare seq means the current epoch, which changes; no other full page ever does.
      const isForEver =
        page.nextAfter !== null && (request.query.from !== undefined || request.query.after.includes('-'))
      reply.header('cache-control', isForEver ? 'public, max-age=86400, immutable' : 'public, max-age=1')
      return page
    },
  )
}

async function readPage(
  { replica }: RoomServices['ledger'],
  { id, epoch }: Room,
  { after, from, limit }: Static<typeof AuditQuery>,
): Promise<{ items: AuditEntry[]; nextAfter: string | null }> {
  const position = from === undefined ? readPosition(after, epoch) : await findPosition(replica, id, { before: from })
  const items = await readAudit(replica, id, position, limit)
  const last = items.at(-1)
  const isFull = last !== undefined && items.length === limit
  return { items, nextAfter: isFull ? `${last.epoch}-${last.seq}` : null }
}

/** `epoch-seq`, or a bare `seq` of the current epoch; 0 and an empty text mean the very beginning. */
function readPosition(text: string, currentEpoch: number): { epoch: number; seq: number } {
  const [first, second] = text.split('-', 2)
  if (second !== undefined) return { epoch: Number(first), seq: Number(second) }
  const seq = Number(first)
  return seq === 0 ? { epoch: 0, seq: 0 } : { epoch: currentEpoch, seq }
}
