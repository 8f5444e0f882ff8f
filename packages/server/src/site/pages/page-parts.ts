import { parseSaleEvent, type SaleEvent } from '@seatwise/domain'
import { type Accent, accentFrom, type Brand } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import {
  type BoxOfficeServices,
  type EventReads,
  type Payments,
  readEventId,
  requireShown,
} from '../../box-office/index.ts'
import type { ServesSale } from '../../http/index.ts'
import type { Adoption } from '../../identity/index.ts'
import type { Copy } from '../../kit/index.ts'
import type { Profiles, SaleReports, Visits } from '../../rooms/index.ts'
import type { BrandReads } from '../brands/brand-reads.ts'
import type { HostReads } from '../hosts/host-reads.ts'
import type { PageKit } from './page-kit.ts'
import type { Condition } from './status.ts'

/** What pages read beside the services. */
export interface PageSources {
  readonly reads: EventReads
  readonly brands: BrandReads
  readonly hosts: HostReads
  readonly payments: Payments
  readonly profiles: Profiles
  readonly adoption: Adoption
  readonly reports: SaleReports
  readonly readCondition: () => Promise<Condition>
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

/** The same for a page that shows every visitor the same, also while the ledger is away. */
export function forAll<Config extends object>(page: {
  readonly config: Config
  readonly schema: { readonly hide: true }
}) {
  return { ...page, config: { ...page.config, isForAll: true } } as const
}

/** The same for a form with these fields, on a page of one sale. */
export function takingForm<Body extends TSchema>(body: Body, sale: ServesSale = 'path') {
  return { ...inSale(sale), schema: { ...forPeople.schema, body } }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** How old the copies are that the page was made from, where the visitor has to know; else null. */
    staleSeconds: number | null
  }
}

export async function readPageEvent({ reads }: PageParts, request: FastifyRequest, id: string): Promise<SaleEvent> {
  const copy = await reads.events.readCopy(readEventId(id))
  const value = requireShown(copy?.value ?? null, request.actor)
  const shown = usedForPage(request, { value, staleSeconds: copy?.staleSeconds ?? null })
  return parseSaleEvent(shown.body.toString())
}

/** The value of a copy; the page that this request gets tells how old it is. */
export function usedForPage<Value>(request: FastifyRequest, { value, staleSeconds }: Copy<Value>): Value {
  if (staleSeconds !== null) request.staleSeconds = Math.max(request.staleSeconds ?? 0, staleSeconds)
  return value
}

/** How the organiser wants the pages of a room to look. */
export async function brandOf({ brands }: PageParts, roomId: string): Promise<Brand> {
  const { colour, logo, text } = await brands.of(roomId)
  return { accent: colour === null ? null : accentFrom(colour), logo, text }
}

export async function accentOf(parts: PageParts, roomId: string): Promise<Accent | null> {
  return (await brandOf(parts, roomId)).accent
}
