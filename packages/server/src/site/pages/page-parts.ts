import { parseSaleEvent, type SaleEvent, SeatwiseError } from '@seatwise/domain'
import { type Accent, accentFrom, type Brand } from '@seatwise/web'
import type { TSchema } from 'typebox'
import { type BoxOfficeServices, type EventReads, type Payments, readEventId } from '../../box-office/index.ts'
import type { ServesSale } from '../../http/index.ts'
import type { Adoption } from '../../identity/index.ts'
import type { Profiles, Visits } from '../../rooms/index.ts'
import type { BrandReads } from '../brands/brand-reads.ts'
import type { PageKit } from './page-kit.ts'

/** What pages read beside the services. */
export interface PageSources {
  readonly reads: EventReads
  readonly brands: BrandReads
  readonly payments: Payments
  readonly profiles: Profiles
  readonly adoption: Adoption
}

/** What pages are built from. */
export interface PageParts extends BoxOfficeServices, PageSources {
  readonly kit: PageKit
  readonly visits: Visits
}

/** Every page is for people and in no API description; a signed-in visitor is recognised. */
export const forPeople = { config: { access: 'public-or-signed-in' }, schema: { hide: true } } as const

/** The same for a page of one sale, also for devices that act in that sale only. */
export function inSale<Sale extends ServesSale>(sale: Sale) {
  return { ...forPeople, config: { ...forPeople.config, sale } }
}

/** The same for a form with these fields, on a page of one sale. */
export function takingForm<Body extends TSchema>(body: Body, sale: ServesSale = 'path') {
  return { ...inSale(sale), schema: { ...forPeople.schema, body } }
}

export async function readPageEvent({ reads }: PageParts, id: string): Promise<SaleEvent> {
  const document = await reads.events.read(readEventId(id))
  if (document === null) throw new SeatwiseError('NOT_FOUND', { message: 'There is no such event' })
  return parseSaleEvent(document.body.toString())
}

/** How the organiser wants the pages of a room to look. */
export async function brandOf({ brands }: PageParts, roomId: string): Promise<Brand> {
  const { colour, logo, text } = await brands.of(roomId)
  return { accent: colour === null ? null : accentFrom(colour), logo, text }
}

export async function accentOf(parts: PageParts, roomId: string): Promise<Accent | null> {
  return (await brandOf(parts, roomId)).accent
}
