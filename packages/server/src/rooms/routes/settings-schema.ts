import { ROOM_DEFAULTS, ROOM_LIMITS } from '@seatwise/domain'
import Type from 'typebox'

const strict = { additionalProperties: false }

/** Defaults are documented and not applied: a change of a room leaves unnamed settings alone. */
const byDefault = (name: keyof typeof ROOM_DEFAULTS) => `${ROOM_DEFAULTS[name]} where a new room does not say`
const number = (name: keyof typeof ROOM_LIMITS, note = '') => {
  const { min, max } = ROOM_LIMITS[name]
  return Type.Optional(Type.Integer({ minimum: min, maximum: max, description: `${note}${byDefault(name)}` }))
}
const flag = (name: keyof typeof ROOM_DEFAULTS) => Type.Optional(Type.Boolean({ description: byDefault(name) }))
const roomProperties = {
  capacity: number('capacity'),
  ratePerMinute: number('ratePerMinute'),
  burst: number('burst'),
  claimSeconds: number('claimSeconds'),
  sessionSeconds: number('sessionSeconds'),
  reservationSeconds: number('reservationSeconds'),
  heartbeatTimeoutSeconds: number('heartbeatTimeoutSeconds'),
  graceSeconds: number('graceSeconds'),
  awaySeconds: number('awaySeconds'),
  maxWaiting: number('maxWaiting'),
  maxSeatsPerBuyer: number('maxSeatsPerBuyer'),
  guestsPerAddress: number('guestsPerAddress', '0 sets no limit; '),
  entry: Type.Optional(
    Type.Enum(['anyone', 'verified', 'invited'] as const, {
      description: `Who may join: every visitor, accounts that proved their address, or visitors with an invitation. ${byDefault('entry')}`,
    }),
  ),
  guestsPerDevice: number('guestsPerDevice', '0 sets no limit; '),
  groupMax: number('groupMax', 'Most visitors who stand together as one ticket; 1 allows no groups. '),
  priorityMode: Type.Optional(
    Type.Union([Type.Literal('skip'), Type.Literal('lanes')], { description: byDefault('priorityMode') }),
  ),
  challenge: Type.Optional(
    Type.Enum(['off', 'auto', 'always'] as const, {
      description: `Proof of work before joining; ${byDefault('challenge')}`,
    }),
  ),
  reserveOnAdmit: flag('reserveOnAdmit'),
  stockAware: flag('stockAware'),
  guests: flag('guests'),
  keepLineWhenSoldOut: flag('keepLineWhenSoldOut'),
  presence: flag('presence'),
  preQueueAt: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'From then on joining is possible before `salesStartAt`; fixed from the first ticket on',
    }),
  ),
  draw: Type.Optional(
    Type.Enum(['none', 'commit', 'drand'] as const, {
      description: `How those who wait at the start are put into an order; fixed from the first ticket on. ${byDefault('draw')}`,
    }),
  ),
  paused: Type.Optional(Type.Boolean()),
}
/** The settings that a new room may be given. */
export const RoomSettingsBody = Type.Object(roomProperties, strict)
export const RoomChangeBody = Type.Object(
  { ...roomProperties, message: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])) },
  { ...strict, minProperties: 1 },
)
