import { badField, SeatwiseError } from '@seatwise/domain'
import { type RoomFacts, readRooms } from '@seatwise/ledger'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { TEST_LIMIT } from '../../delivery/index.ts'
import { type App, ownOrigin } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { checkGuard, GUARD_RESULTS, type GuardCheck } from './check-guard.ts'

/** Whether the guard of a site works, judged by going there. */
export function guardRoutes(app: App, services: BoxOfficeServices): void {
  app.post(
    '/api/rooms/:id/guard/check',
    {
      config: { access: { act: 'room', on: 'room' }, rateLimit: TEST_LIMIT },
      schema: {
        tags: ['rooms'],
        operationId: 'checkGuard',
        summary: 'Visit the site of a room, to see whether its guard works',
        description:
          'Comes by as a browser without a pass and then with one that is good for a minute. `works`, or the first thing that is wrong.',
        params: Type.Object({ id: Type.String() }),
        response: {
          200: Type.Object({
            result: Type.Enum([...GUARD_RESULTS]),
            detail: Type.Optional(Type.String()),
            status: Type.Optional(Type.Integer({ description: 'What the site answered' })),
          }),
        },
      },
    },
    async (request) => {
      const room = await requireSite(services, request.params.id)
      return await checkSite(services, request, room)
    },
  )
}

export type SiteRoom = RoomFacts & { readonly target: string }

/** The room in front of a site; an event's room has none. */
export async function requireSite({ ledger }: Pick<BoxOfficeServices, 'ledger'>, id: string): Promise<SiteRoom> {
  const [room] = isUuid(id) ? await readRooms(ledger.db, [id.toLowerCase()]) : []
  if (room === undefined) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such room' })
  const { target } = room
  if (target === null) throw badField('id', 'must be of a room with a target; this one has an event')
  return { ...room, target }
}

export function checkSite(
  { config, roomTokens, now }: Pick<BoxOfficeServices, 'config' | 'roomTokens' | 'now'>,
  request: FastifyRequest,
  { id, target }: SiteRoom,
): Promise<GuardCheck> {
  const needs = { passes: roomTokens.passes, allowPrivate: config.privateWebhooks, now }
  return checkGuard(needs, { roomId: id, target, roomOrigin: ownOrigin(config, request) })
}
