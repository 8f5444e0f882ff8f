import Type from 'typebox'
import type { App } from '../../http/index.ts'
import type { RoomServices } from '../room-services.ts'
import { requirePublished } from '../routes/room-address.ts'
import { RoomPath } from '../routes/schemas.ts'
import { drawChallenge } from './ask-for-proof.ts'

const ChallengeAnswer = Type.Object({
  algorithm: Type.Literal('SHA-256'),
  challenge: Type.String(),
  salt: Type.String(),
  signature: Type.String(),
  maxnumber: Type.Integer(),
})

/** Challenges for visitors who want to solve one before they join. */
export function challengeRoutes(app: App, parts: RoomServices): void {
  app.get(
    '/api/rooms/:id/challenge',
    {
      config: { access: 'public' },
      schema: {
        tags: ['room'],
        operationId: 'getChallenge',
        summary: 'A challenge to solve before joining',
        description:
          'ALTCHA version 1: find the `number`, at most `maxnumber`, for which the hexadecimal SHA-256 of `salt` followed by ' +
          'the number is `challenge`. Send base64 of `{algorithm, challenge, number, salt, signature}` as `proof` when joining: ' +
          'good once, in this room, for five minutes.',
        params: RoomPath,
        response: { 200: ChallengeAnswer },
      },
    },
    async (request, reply) => {
      const room = requirePublished(await parts.rooms.byId(request.params.id))
      reply.header('cache-control', 'no-store')
      return drawChallenge(parts, room, request.ip)
    },
  )
}
