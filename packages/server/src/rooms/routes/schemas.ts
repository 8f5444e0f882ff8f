import { CODE_LIMITS, type EstimateReason, type TicketClass } from '@seatwise/domain'
import Type from 'typebox'
import { orNull, ReservationAnswer } from '../../wire/index.ts'

const strict = { additionalProperties: false }
const IntegerOrNull = orNull<number>('integer')
const TextOrNull = orNull<string>('string')
const Time = Type.String({ format: 'date-time' })

export const RoomPath = Type.Object({ id: Type.String() })

export const JoinBody = Type.Object(
  {
    priorityCode: Type.Optional(Type.String({ maxLength: 300 })),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CODE_LIMITS.codeLength,
        description: 'An access code of the event: needed from `presaleStartAt` to `salesStartAt`',
      }),
    ),
    invitation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CODE_LIMITS.codeLength,
        description: 'An invitation code, in a room with `entry: invited`',
      }),
    ),
    group: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'The code of a group to stand together with, at the place of the one who came last',
      }),
    ),
    proof: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The solution of a challenge, where joining asks for one' }),
    ),
    name: Type.Optional(Type.String({ maxLength: 400 })),
    avatar: Type.Optional(orNull<string>('string', { maxLength: 512 })),
    showMe: Type.Optional(Type.Boolean({ description: 'Show name and avatar to those around you in the line' })),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'At most 1 KB, kept with the ticket' }),
    ),
  },
  strict,
)

export const AcceptBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Eight symbols; case, spaces and hyphens do not matter',
    }),
  },
  strict,
)
export const TerminateBody = Type.Object({ ticketId: Type.String({ minLength: 5, maxLength: 40 }) }, strict)
export const NeighborsQuery = Type.Object({ around: Type.Integer({ minimum: 0, maximum: 50, default: 3 }) }, strict)
/** A position in the log: `epoch-seq`, a bare `seq` of the current epoch, or empty for the beginning. */
const LogPosition = Type.String({ pattern: '^([0-9]{1,15}|[0-9]{1,10}-[0-9]{1,15})?$', default: '0', maxLength: 26 })
export const RevokedQuery = Type.Object({ since: LogPosition }, strict)
export const AuditQuery = Type.Object(
  {
    after: LogPosition,
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Begin with the entry of this index, instead of after a position',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 500 }),
  },
  strict,
)
export const PriorityCodesBody = Type.Object(
  {
    class: Type.Unsafe<Exclude<TicketClass, 0>>(Type.Integer({ minimum: 1, maximum: 3 })),
    count: Type.Integer({ minimum: 1, maximum: 1_000, default: 1 }),
    expiresAt: Time,
  },
  strict,
)

const State = Type.Enum(['waiting', 'admitted', 'active', 'completed', 'expired'] as const)

const Eta = Type.Object(
  {
    p50: IntegerOrNull,
    p90: IntegerOrNull,
    basis: Type.Enum(['measured', 'configured'] as const, {
      description:
        '`configured`: a first estimate from settings and assumptions, before enough visitors have left the floor',
    }),
    reason: orNull<EstimateReason>('string', {
      description:
        'Why the estimate is later than the last one (`paused`, `rate_lowered`, `capacity_lowered`, `priority`, `returns`, `slower`), ' +
        'why it is null (`paused`, `not_open`, `seats_may_run_out`), or that the seats may be sold before (`seats_may_run_out`)',
    }),
  },
  {
    description:
      'Seconds until the turn: one of two visitors waits for longer than `p50`, one of ten for longer than `p90`',
  },
)

/** What a visitor is told about their own ticket. */
const ofTicket = {
  status: State,
  ticketId: Type.String(),
  away: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String()),
  number: Type.Integer({ description: 'Of the ticket, as the public log names it' }),
  phase: Type.Enum(['before', 'pre', 'open', 'paused', 'sold_out', 'ended'] as const, { description: 'That of *now*' }),
  opensAt: Type.Union([Time, Type.Null()], { description: 'When the line opens; null in a room without a sale' }),
  rank: IntegerOrNull,
  position: IntegerOrNull,
  place: Type.Union([Type.Number(), Type.Null()], {
    description: 'The score that orders the line; null before it opens',
  }),
  exact: Type.Boolean(),
  queueLength: Type.Integer(),
  estimatedWaitSeconds: IntegerOrNull,
  eta: Eta,
  expiresAt: Type.Optional(Time),
  activeToken: Type.Optional(Type.String()),
  extended: Type.Optional(Type.Boolean()),
  reservation: Type.Optional(ReservationAnswer),
  group: Type.Optional(
    Type.Object(
      { people: Type.Integer({ minimum: 1 }) },
      { description: 'Present while you stand together with others, or did: how many you are' },
    ),
  ),
  name: TextOrNull,
  avatar: TextOrNull,
  joinedAt: Time,
  pollAfterMs: Type.Integer(),
  push: Type.Boolean({ description: 'Whether to open a push connection' }),
  epoch: Type.Integer({ description: 'With `seq`: the entry of the log as of which this is true' }),
  seq: Type.Integer(),
}

export const StatusAnswer = Type.Object(ofTicket)
export const JoinAnswer = Type.Object({
  ...ofTicket,
  ticketToken: Type.String(),
  accessToken: Type.Optional(Type.String()),
  expiresIn: Type.Optional(Type.Integer()),
})
export const ClaimAnswer = Type.Object({ status: Type.Literal('active'), activeToken: Type.String(), expiresAt: Time })
export const CompleteAnswer = Type.Object({ status: Type.Literal('completed') })
export const ExtendAnswer = Type.Object({
  status: Type.String(),
  expiresAt: Time,
  activeToken: Type.Optional(Type.String()),
})
export const HandoverAnswer = Type.Object({ code: Type.String(), expiresAt: Time })
export const GroupAnswer = Type.Object({
  code: Type.String({
    description: 'Leads to the group for as long as you wait in it; symbols as in a hand-over code',
  }),
  people: Type.Integer({ description: 'How many stand together now' }),
  peopleMax: Type.Integer(),
})
export const NeighborsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      position: Type.Integer(),
      name: TextOrNull,
      avatar: TextOrNull,
      you: Type.Boolean(),
    }),
  ),
})
export const PriorityCodesAnswer = Type.Object({ codes: Type.Array(Type.String()) })
