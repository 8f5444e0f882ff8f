import { opens, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { type Code, readEvent, readSeatMap } from '@seatwise/ledger'
import { isUsedUp } from '../../rooms/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { describeTypes } from '../events/event-reads.ts'
import { describeTerms } from './describe-code.ts'

export interface TypedCode {
  readonly eventId: string
  readonly text: string
  readonly address: string
}

/** The code that a visitor typed, if it can be used now; throws why not. Nothing is counted but wrong codes. */
export async function requireCode(
  { config, roomTokens }: Pick<BoxOfficeServices, 'config' | 'roomTokens'>,
  { eventId, text, address }: TypedCode,
): Promise<Code> {
  const code = await roomTokens.eventCodes.find({ eventId, text, address: config.rateLimits ? address : null })
  if (code === null) throw new SeatwiseError('CODE_UNKNOWN')
  if (isUsedUp(code)) throw new SeatwiseError('CODE_USED_UP')
  return code
}

/** The hidden seat types of an event that a code opens. */
export const openedTypes = ({ seatTypes }: Pick<SaleEvent, 'seatTypes'>, code: Code): SaleEvent['seatTypes'] =>
  seatTypes.filter(({ id, hidden }) => hidden && opens(code, id))

/** What a code does, with the hidden seats that it opens, as JSON text. Rule B122. */
export async function checkCode(
  services: Pick<BoxOfficeServices, 'config' | 'roomTokens' | 'ledger' | 'pulse'>,
  typed: TypedCode,
): Promise<string> {
  const { ledger, pulse } = services
  const code = await requireCode(services, typed)
  return await pulse.ask(async () => {
    const event = code.access ? await readEvent(ledger.db, typed.eventId) : null
    const seatTypes = event === null ? [] : openedTypes(event, code)
    const others = event === null ? [] : event.seatTypes.filter((type) => !seatTypes.includes(type))
    const map =
      seatTypes.length === 0
        ? { seats: '[]' }
        : await readSeatMap(
            ledger.db,
            typed.eventId,
            null,
            others.map(({ id }) => id),
          )
    if (map === 'unchanged') throw new Error('Nothing was known that could be unchanged')
    const terms = JSON.stringify({ ...describeTerms(code), seatTypes: describeTypes({ seatTypes }) })
    return `${terms.slice(0, -1)},"seats":${map.seats}}`
  })
}
