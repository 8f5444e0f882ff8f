import { EVENT_LIMITS } from '@seatwise/domain'
import type { RoomFacts } from '@seatwise/ledger'
import Type from 'typebox'
import { RoomChangeBody } from '../routes/settings-schema.ts'

const strict = { additionalProperties: false }
const name = Type.String({ minLength: 1, maxLength: EVENT_LIMITS.nameLength })
const target = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'The http or https address that visitors are let in to',
  examples: ['https://shop.example.com/drop'],
})

const schedule = {
  opensAt: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'When the line opens; null: it is always open. With a pre-queue or a draw it moves until the line is sealed',
    }),
  ),
  closesAt: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The last instant of the line; null: none',
    }),
  ),
}

export const NewRoomBody = Type.Object(
  {
    organizationId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Whose room it is; by default your first organization’s' }),
    ),
    name,
    target,
    ...schedule,
    ...RoomChangeBody.properties,
  },
  strict,
)
export const RoomEditBody = Type.Object(
  { name: Type.Optional(name), target: Type.Optional(target), ...schedule, ...RoomChangeBody.properties },
  { ...strict, minProperties: 1 },
)
export const RoomId = Type.Object({ id: Type.String() })
export const RoomsQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ format: 'uuid' })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  },
  strict,
)

const Nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Time = Type.String({ format: 'date-time' })
const { message: _, ...settings } = Type.Required(RoomChangeBody).properties
export const RoomAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  eventId: Nullable(Type.String({ format: 'uuid' })),
  organizationId: Nullable(
    Type.String({ format: 'uuid', description: 'Null for a room with an event, which says whose it is' }),
  ),
  name: Type.String(),
  target: Nullable(Type.String()),
  opensAt: Nullable(Time),
  closesAt: Nullable(Time),
  ...settings,
  message: Nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time,
})
export const RoomPageAnswer = Type.Object({ items: Type.Array(RoomAnswer), nextCursor: Nullable(Type.String()) })

/** The public view of a room: who made it is left out. */
export function describeRoom({ settings: chosen, ...room }: RoomFacts) {
  const { createdAt, updatedAt, opensAt, closesAt, ...facts } = room
  const schedule = { opensAt: opensAt?.toISOString() ?? null, closesAt: closesAt?.toISOString() ?? null }
  return { ...facts, ...schedule, ...chosen, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
