import { DOOR_NAME_MAX, DOOR_SCANS_MAX } from '@seatwise/domain'
import Type from 'typebox'
import { nullable, Seat } from '../../etickets/schemas.ts'

const strict = { additionalProperties: false }
const time = () => Type.String({ format: 'date-time' })

export const DoorName = Type.String({
  minLength: 1,
  maxLength: DOOR_NAME_MAX,
  pattern: '\\S',
  description: 'What staff calls this door; it is counted by that name',
})

export const DoorListQuery = Type.Object(
  { after: Type.Optional(Type.String({ format: 'uuid', description: '`next` of the page before' })) },
  strict,
)
export const DoorListAnswer = Type.Object({
  page: Type.String({ description: 'JSON: `{eventId, at, next, tickets}`; `next` is null on the last page' }),
  kid: Type.String({ description: 'The key of /.well-known/jwks.json that signed' }),
  signature: Type.String({
    description: 'Ed25519 of `seatwise-door-list`, a line feed and the text of `page`; base64url',
  }),
})

export const DoorQuery = Type.Object({ since: Type.Optional(time()) }, strict)

const Outcome = Type.Union([Type.Literal('in'), Type.Literal('conflict'), Type.Literal('void')])
const Scan = Type.Object({
  id: Type.String(),
  eticketId: Type.String(),
  door: nullable(Type.String()),
  scannedAt: time(),
  outcome: Outcome,
  seat: Seat,
  checkedInAt: nullable(time()),
  countedDoor: nullable(Type.String({ description: 'The door of the scan that counts' })),
})
export const DoorAnswer = Type.Object({
  at: Type.String({ format: 'date-time', description: '`since` of the next call' }),
  valid: Type.Integer({ description: 'E-tickets that let in, those that did already included' }),
  inside: Type.Integer(),
  doors: Type.Array(Type.Object({ door: Type.String(), in: Type.Integer() })),
  scans: Type.Array(Scan, { description: 'Those that arrived since then, the latest first' }),
  isComplete: Type.Boolean({ description: 'False: more scans arrived than are told; read the list again' }),
  troubled: Type.Array(Scan, {
    description: 'Holders who were let in offline and should not have been, the latest first',
  }),
})

export const ScansBody = Type.Object(
  {
    door: DoorName,
    scans: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid', description: 'Drawn by the device: the same scan is taken once' }),
          eticketId: Type.String({ format: 'uuid' }),
          generation: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
          at: time(),
        },
        strict,
      ),
      { minItems: 1, maxItems: DOOR_SCANS_MAX },
    ),
  },
  strict,
)
export const ScansAnswer = Type.Object({
  items: Type.Array(
    Type.Object({ id: Type.String(), outcome: Type.Union([...Outcome.anyOf, Type.Literal('unknown')]) }),
  ),
})
