import {
  AFTER_SALE_DEFAULTS,
  type AfterSale,
  type Checkout,
  type EventImage,
  type EventState,
  type Fee,
  fromThousandths,
  fullCheckout,
  type PlanShape,
  type RoomSettings,
  type SaleEvent,
  type SeatType,
} from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'
import { type HostRow, toHost, toImage } from '../organizations/index.ts'

const READ_EVENTS = loadStatement(import.meta.url, 'read-events.sql')

interface EventRow extends HostRow {
  id: string
  organizer_id: string | null
  organization_id: string
  name: string
  code: string | null
  description: string
  location: string
  time_zone: string
  starts_at: Date | null
  ends_at: Date | null
  doors_at: Date | null
  age_min: number | null
  presale_start_at: Date | null
  sales_start_at: Date
  sales_end_at: Date
  state: EventState
  refunds_until: Date | null
  tax_rate: number
  fees: Fee[]
  after: Partial<AfterSale>
  shapes: PlanShape[]
  checkout: Partial<Checkout>
  additional_info: Record<string, unknown>
  created_at: Date
  updated_at: Date
  image_hash: string | null
  image_width: number | null
  image_height: number | null
  image_alt: string | null
  image_focus_x: number | null
  image_focus_y: number | null
  room_id: string
  settings: RoomSettings
  paused: boolean
  message: string | null
  seat_types: SeatType[] | null
}

/** The events with these ids, in this order, without those that do not exist. */
export async function readEvents(db: Kysely<Schema>, ids: readonly string[]): Promise<SaleEvent[]> {
  if (ids.length === 0) return []
  const rows = await runStatement<EventRow>(db, READ_EVENTS, [ids])
  return rows.map(toEvent)
}

export async function readEvent(db: Kysely<Schema>, id: string): Promise<SaleEvent | null> {
  const [event] = await readEvents(db, [id])
  return event ?? null
}

function toEvent(row: EventRow): SaleEvent {
  const seatTypes = row.seat_types ?? []
  return {
    id: row.id,
    roomId: row.room_id,
    organizerId: row.organizer_id,
    organizationId: row.organization_id,
    organizer: toHost(row),
    name: row.name,
    code: row.code,
    description: row.description,
    location: row.location,
    timeZone: row.time_zone,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    doorsAt: row.doors_at,
    ageMin: row.age_min,
    presaleStartAt: row.presale_start_at,
    salesStartAt: row.sales_start_at,
    salesEndAt: row.sales_end_at,
    state: row.state,
    image: imageOf(row),
    refundsUntil: row.refunds_until,
    taxRate: fromThousandths(row.tax_rate),
    fees: row.fees,
    after: { ...AFTER_SALE_DEFAULTS, ...row.after },
    shapes: row.shapes,
    additionalInfo: row.additional_info,
    seatTypes,
    checkout: fullCheckout(row.checkout),
    room: { ...row.settings, paused: row.paused, message: row.message },
    totalSeats: seatTypes.reduce((sum, type) => sum + type.totalQuantity, 0),
    remainingSeats: seatTypes.reduce((sum, type) => sum + type.remaining, 0),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function imageOf(row: EventRow): EventImage | null {
  const image = toImage(row.image_hash, row.image_width, row.image_height)
  const focus = { x: row.image_focus_x ?? 50, y: row.image_focus_y ?? 50 }
  return image === null ? null : { ...image, alt: row.image_alt ?? '', focus }
}
