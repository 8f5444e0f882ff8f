import { parseSaleEvent, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import type { Accent, Brand } from '@seatwise/web'
import { readEventId } from '../events/event-id.ts'
import type { EventReads } from '../events/event-reads.ts'
import type { Payments } from '../payments/payments.ts'
import type { Services } from '../services.ts'
import type { PageKit } from './page-kit.ts'

/** What pages are built from. */
export interface PageParts extends Services {
  readonly kit: PageKit
  readonly reads: EventReads
  readonly payments: Payments
}

/** Every page is for people and in no API description; whoever is signed in is known. */
export const forPeople = { config: { access: 'public-or-signed-in' }, schema: { hide: true } } as const

export async function readPageEvent({ reads }: PageParts, id: string): Promise<SaleEvent> {
  const document = await reads.events.read(readEventId(id))
  if (document === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return parseSaleEvent(document.body.toString())
}

/** How the organiser wants the pages of a room to look. */
export async function brandOf(_parts: PageParts, _roomId: string): Promise<Brand> {
  return { accent: null, logo: null, text: null }
}

export async function accentOf(parts: PageParts, roomId: string): Promise<Accent | null> {
  return (await brandOf(parts, roomId)).accent
}
