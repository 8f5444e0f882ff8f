import { readEvent, readSeatMap } from '@seatwise/ledger'
import { type Actor, mayDo } from '../../http/index.ts'
import { type Document, makeDocument } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { describeTypes, type Hiding } from './event-reads.ts'

/** Whether a caller may see more of an event than its public document has. Rule E26. */
export function seesMore({ hasHidden, organizationId }: Hiding, actor: Actor | null): boolean {
  return hasHidden && mayDo(actor, 'statistics', organizationId)
}

/** An event, or its seats, with all hidden seat types: for its organization and for admins. */
export async function readOwnEvent(
  { ledger, pulse }: Pick<BoxOfficeServices, 'ledger' | 'pulse'>,
  eventId: string,
  what: 'event' | 'seats',
): Promise<Document | null> {
  return await pulse.ask(async () => {
    const event = await readEvent(ledger.db, eventId)
    if (event === null) return null
    if (what === 'event') return makeDocument(JSON.stringify(event))
    const map = await readSeatMap(ledger.db, eventId, null)
    if (map === 'unchanged') throw new Error('Nothing was known that could be unchanged')
    const types = JSON.stringify(describeTypes(event))
    return makeDocument(`{"version":${map.version},"seatTypes":${types},"seats":${map.seats}}`)
  })
}
