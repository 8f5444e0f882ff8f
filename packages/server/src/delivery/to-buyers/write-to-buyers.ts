import { randomUUID } from 'node:crypto'
import { badField, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { type BuyerMail, mailBuyers } from '@seatwise/ledger'
import type { Language } from '@seatwise/web'
import Type from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { sendsMail } from '../../config/index.ts'
import type { Actor } from '../../http/index.ts'
import { writeLetterToBuyers } from '../mail/write-letters.ts'

const DAY_SECONDS = 24 * 60 * 60

export const BuyerMailBody = Type.Object(
  {
    id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Drawn by the caller: asked for again, it is the same mail' }),
    ),
    subject: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    text: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S' }),
  },
  { additionalProperties: false },
)

interface Wish {
  readonly id?: string
  readonly subject: string
  readonly text: string
}

/** Writes to all buyers with a paid order of an event. */
export async function writeToBuyers(
  { ledger, config }: BoxOfficeServices,
  actor: Actor,
  eventId: string,
  { id = randomUUID(), subject, text }: Wish,
): Promise<BuyerMail> {
  if (!sendsMail(config)) throw new SeatwiseError('NOT_CONFIGURED', { message: 'This server sends no mail' })
  // A mail has one line of subject.
  if (/[\r\n]/.test(subject)) throw badField('subject', 'must be one line')
  const body = text.replaceAll('\r\n', '\n').trim()
  const draft = { id: id.toLowerCase(), eventId, by: actor.id, subject: subject.trim(), body }
  const outcome = await mailBuyers(ledger, draft)
  switch (outcome.status) {
    case 'mailed':
      return outcome.mail
    case 'too_many':
      throw new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds: DAY_SECONDS })
    case 'taken':
      throw badField('id', 'belongs to a mail of another event')
  }
}

/** What a buyer without a name would read. */
export function previewToBuyers(language: Language, event: SaleEvent, { subject, text }: Wish): string {
  const { startsAt, timeZone, location, name: eventName } = event
  const body = text.replaceAll('\r\n', '\n')
  return writeLetterToBuyers(language, { name: '', eventName, startsAt, timeZone, location }, { subject, body }).text
}
