import {
  type EventEditBody,
  type PriceList,
  priceListOf,
  priceListText,
  readEventEdit,
  risesIn,
  type SaleEvent,
  SeatwiseError,
} from '@seatwise/domain'
import { readEvent } from '@seatwise/ledger'
import { pricesListed } from '../../rooms/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'

type Parts = Pick<BoxOfficeServices, 'ledger' | 'rooms' | 'log'>

/** An edit whose prices the log of the room follows. */
export interface PricedEdit {
  /** The price list that the edit was judged by. */
  readonly expects: string
  /** The ledger has the edit: `event` is what it made of it. */
  committed(event: SaleEvent): Promise<void>
  /** The ledger has refused it. */
  refused(): Promise<void>
}

/**
 * Asks the line before prices rise: a rise is first a step of the log that fails unless line and floor are empty, so no visitor can
 * join in between. What falls is told afterwards. Null for an edit that concerns no price. Rules J65 and I41.
 */
export async function lockPrices(
  { ledger, rooms, log }: Parts,
  { eventId, body, by }: { eventId: string; body: EventEditBody; by: string },
): Promise<PricedEdit | null> {
  if (!touchesPrices(body)) return null
  const current = await readEvent(ledger.db, eventId)
  if (current === null) return null
  const before = priceListOf(current)
  const planned = plannedFrom(current, body)
  const rises = risesIn(before, priceListOf(planned))
  // No visitor waits for a draft, and its prices are not public.
  const isPublic = current.state !== 'draft'
  const hasRisen = isPublic && rises.length > 0
  const announce = async (event: SaleEvent, onlyWhileEmpty: boolean) =>
    await (await rooms.ofEvent(eventId)).announce(pricesListed(event), by, { onlyWhileEmpty })
  if (hasRisen && !(await announce(planned, true))) throw new SeatwiseError('PRICES_LOCKED', { details: { rises } })
  return {
    expects: priceListText(before),
    async committed(event) {
      const wasPublic = isPublic && isSame(priceListOf(event), hasRisen ? priceListOf(planned) : before)
      if (event.state !== 'draft' && !wasPublic) await announce(event, false)
    },
    async refused() {
      if (!hasRisen) return
      // The old list again. Visitors who joined since saw the higher one, and pay the old one: that is no rise.
      const isRise = risesIn(priceListOf(planned), before).length > 0
      if (!(await announce(current, isRise))) log.warn({ eventId }, 'the log has a price list that was not stored')
    },
  }
}

function touchesPrices({ taxRate, fees, seatTypes, state }: EventEditBody): boolean {
  return [taxRate, fees, seatTypes, state].some((change) => change !== undefined)
}

/** The event after the edit, as far as its prices are concerned; throws what the edit would be refused with. */
function plannedFrom(current: SaleEvent, body: EventEditBody): SaleEvent {
  const { event, changed } = readEventEdit(current, body)
  const seatTypes = current.seatTypes.map((type) => {
    const after = changed.find(({ before }) => before.id === type.id)?.after
    if (after === undefined) return type
    // A variant without an id is new, and no price of before.
    return { ...after, variants: after.variants.map(({ id, ...variant }) => ({ ...variant, id: id ?? '' })) }
  })
  return { ...current, ...event, seatTypes }
}

function isSame(one: PriceList, other: PriceList): boolean {
  return priceListText(one) === priceListText(other)
}
