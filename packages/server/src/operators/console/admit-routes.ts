import { randomUUID } from 'node:crypto'
import { ROOM_LIMITS, SeatwiseError } from '@seatwise/domain'
import { recordAction } from '@seatwise/ledger'
import Type from 'typebox'
import { answerOnce, type BoxOfficeServices } from '../../box-office/index.ts'
import { type App, actorOf } from '../../http/index.ts'
import type { AdmittedNow, Room } from '../../rooms/index.ts'
import { type SaleAddress, saleAddresses } from './sale-address.ts'

const tags = ['operate a room']
const Path = Type.Object({ id: Type.String() })
// More than fit into the room never go in at once.
const AdmitBody = Type.Object(
  { count: Type.Integer({ minimum: 1, maximum: ROOM_LIMITS.capacity.max }) },
  { additionalProperties: false },
)
const AdmitAnswer = Type.Object({
  admitted: Type.Integer({ description: 'How many were let in; in a preview, how many would be.' }),
  limitedBy: Type.Union([Type.String(), Type.Null()], {
    description:
      'What kept it from being `count`: `capacity`, `stock`, `line` (no more visitors wait), `held`, `unfollowed`, `not_open`, `closed`, `sold_out`; null when nothing did.',
  }),
})

/** An operator lets visitors in now, past the rate; and what that would do. */
export function admitRoutes(app: App, services: BoxOfficeServices): void {
  for (const address of saleAddresses(services)) {
    admitRoute(app, services, address)
    previewRoute(app, address)
  }
}

function admitRoute(app: App, services: BoxOfficeServices, address: SaleAddress): void {
  app.post(
    `${address.path}/queue/admit`,
    {
      config: { access: { act: 'room', on: address.on } },
      schema: {
        tags,
        summary: 'Let visitors in now, past the rate and without using it up; never past capacity or stock',
        description: 'With an `Idempotency-Key`, a repeated call answers as the first one did.',
        params: Path,
        body: AdmitBody,
        response: { 200: AdmitAnswer },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const room = await address.find(request.params.id)
      const { count } = request.body
      const wish = { operation: 'admit', about: { room: room.id, count } }
      const { body } = await answerOnce(services, request, wish, async () => {
        const key = request.headers['idempotency-key']
        const operation = `admit by ${actor.id} ${typeof key === 'string' ? key : randomUUID()}`
        const done = await admit(services, room, { actorId: actor.id, count, operation })
        // A call that let no visitor in had no effect, and leaves its key free.
        return { statusCode: 200, body: { ...done }, isFinal: done.admitted > 0 }
      })
      reply.header('cache-control', 'no-store')
      return { admitted: Number(body.admitted), limitedBy: body.limitedBy === null ? null : String(body.limitedBy) }
    },
  )
}

async function admit(
  { ledger }: BoxOfficeServices,
  room: Room,
  { actorId, count, operation }: { actorId: string; count: number; operation: string },
): Promise<AdmittedNow> {
  if ((await room.previewAdmission(count)).limitedBy === 'paused') throw new SeatwiseError('PAUSED')
  await recordAction(ledger.db, {
    ...{ actorId, kind: 'visitors.admitted', eventId: room.row.eventId, roomId: room.id, after: { count } },
  })
  const admitted = await room.admitNow(count, operation)
  if (admitted.limitedBy === 'paused' && admitted.admitted === 0) throw new SeatwiseError('PAUSED')
  return admitted
}

function previewRoute(app: App, address: SaleAddress): void {
  app.post(
    `${address.path}/queue/admit/preview`,
    {
      config: { access: { act: 'room', on: address.on } },
      schema: {
        tags,
        summary: 'How many of so many visitors could go in now; changes nothing',
        params: Path,
        body: AdmitBody,
        response: { 200: AdmitAnswer },
      },
    },
    async (request, reply) => {
      const room = await address.find(request.params.id)
      reply.header('cache-control', 'no-store')
      return await room.previewAdmission(request.body.count)
    },
  )
}
