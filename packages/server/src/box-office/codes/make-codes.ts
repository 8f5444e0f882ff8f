import { randomUUIDv7 } from 'node:crypto'
import { badField, type CodesBody, readCodesDraft, SeatwiseError } from '@seatwise/domain'
import { type MadeCode, makeCodes as writeCodes } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { randomCode } from './random-code.ts'

/** Makes one code, or many with random texts, for an event that the caller manages. */
export async function makeCodes(
  { ledger }: Pick<BoxOfficeServices, 'ledger'>,
  { eventId, body, actor }: { eventId: string; body: CodesBody; actor: Actor },
): Promise<readonly MadeCode[]> {
  const draft = readCodesDraft(body)
  // Ordered by time, so that the list can go on from the last one.
  const made = await writeCodes(ledger, { eventId, draft, by: actor.id, newId: randomUUIDv7, newText: randomCode })
  switch (made.status) {
    case 'made':
      return made.items
    case 'exists':
      throw new SeatwiseError('CODE_EXISTS')
    case 'unknown_types':
      throw badField('seatTypeIds', 'must be seat types of this event')
  }
}
