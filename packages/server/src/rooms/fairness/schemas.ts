import Type from 'typebox'
import { Head, orNull } from '../../wire/index.ts'

const NumberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] })
const TextOrNull = orNull<string>('string')
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Time = Type.String({ format: 'date-time' })
const Waits = Type.Object({ p50: NumberOrNull, p90: NumberOrNull, p99: NumberOrNull })

export const FairnessAnswer = Type.Object({
  joined: Type.Integer(),
  admitted: Type.Integer(),
  inversions: Type.Integer({ description: 'Pairs of which the ticket with the later place went in first' }),
  inversionsOfPresent: Type.Integer({ description: 'Those of which neither visitor was ever away' }),
  kendallTau: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: '1: admitted exactly by place; −1: the reverse',
  }),
  capacityOvershoot: Type.Integer({ description: 'The most tickets that an admission put inside above the capacity' }),
  rateOvershoot: Type.Integer({ description: 'Admissions for which the rate had no token' }),
  noShows: Type.Integer(),
  left: Type.Integer({ description: 'Visitors who left by themselves' }),
  completed: Type.Integer({ description: 'Visitors who were done: in a sale, who paid' }),
  joinsPerSecondMax: Type.Integer(),
  wait: { ...Waits, description: 'Seconds from joining to admission' },
  waitFromOpening: {
    ...nullable(Waits),
    description: 'Seconds from the opening, for those who joined before it; null without a pre-queue',
  },
  eta: Type.Object(
    { known: NumberOrNull, medianError: NumberOrNull, p90Coverage: NumberOrNull },
    { description: 'Shares from 0 to 1, of visitors who joined the open line and waited 5 s or longer' },
  ),
  prices: {
    ...nullable(Type.Object({ hash: Type.String(), lists: Type.Integer() })),
    description: 'The hash of the price list that was published last, and how many were',
  },
  draw: nullable(
    Type.Object({
      mode: Type.Enum(['commit', 'drand'] as const),
      count: orNull<number>('integer'),
      redraws: Type.Integer(),
    }),
  ),
  networks: {
    ...nullable(
      Type.Array(
        Type.Object({
          ticketsMin: Type.Integer(),
          ticketsMax: Type.Integer(),
          networks: Type.Integer(),
          tickets: Type.Integer(),
          admitted: Type.Integer(),
        }),
      ),
    ),
    description:
      'How many networks (/24, or /48 of IPv6) had so many tickets each; no group has fewer than five networks. Null where there are fewer',
  },
  refusals: Type.Optional({
    ...Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
    description:
      'How many joins were refused, by reason as in `queue/refusals`; counted by the servers, not by the log',
  }),
  head: { ...Head, description: 'The figures count the log up to this head' },
  final: Type.Boolean({ description: 'The sale is over and its last ticket has ended: this report never changes' }),
  signed: {
    ...nullable(Type.Object({ text: Type.String(), kid: Type.String(), note: Type.String() })),
    description: 'Of a final report: the exact text, and a C2SP signed note over its size in the log and its SHA-256',
  },
})

export const PastReportsQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ maxLength: 80 })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  },
  { additionalProperties: false },
)
export const PastReportsAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      eventId: Type.String({ format: 'uuid' }),
      name: Type.String(),
      closedAt: Time,
      at: { ...Time, description: 'When the report was signed' },
      joined: Type.Integer(),
      admitted: Type.Integer(),
      inversions: Type.Integer(),
      inversionsOfPresent: Type.Integer(),
      kendallTau: NumberOrNull,
      capacityOvershoot: Type.Integer(),
      rateOvershoot: Type.Integer(),
      noShows: Type.Integer(),
    }),
  ),
  nextCursor: TextOrNull,
})
