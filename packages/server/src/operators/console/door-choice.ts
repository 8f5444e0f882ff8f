import {
  chooseVariants,
  nameOfSeat,
  priceOrder,
  type SaleEvent,
  type SeatType,
  type VariantWish,
} from '@seatwise/domain'
import type { DoorChoice, DoorProblem, DoorQuote, DoorSeat } from '@seatwise/web'
import type { FastifyRequest } from 'fastify'
import { queryOf } from '../../site/index.ts'

const METHODS = ['cash', 'terminal', 'complimentary'] as const
/** As many as the API takes. */
const SEATS_MAX = 1_000

/** What the seller chose, from the query of the page: nothing is sold by reading it. */
export function readChoice(request: FastifyRequest, event: SaleEvent): DoorChoice {
  const id = queryOf(request, 'type') ?? queryOf(request, 'edit') ?? null
  const type = event.seatTypes.find((one) => one.id === id)
  const prices = Math.max(1, type?.variants.length ?? 0)
  const { seat } = request.query as { seat?: unknown }
  const seatIds = [seat].flat().filter((one): one is string => typeof one === 'string')
  return {
    seatTypeId: type?.id ?? null,
    quantities: Array.from({ length: prices }, (_, index) => readQuantity(queryOf(request, `n-${index}`))),
    seatIds: [...new Set(seatIds)].slice(0, SEATS_MAX),
    method: METHODS.find((method) => method === queryOf(request, 'method')) ?? 'cash',
    email: (queryOf(request, 'email') ?? '').trim().slice(0, 254),
  }
}

function readQuantity(text = ''): number {
  return /^\d{1,4}$/.test(text) ? Math.min(SEATS_MAX, Number(text)) : 0
}

/** What the choice costs now; or what is wrong with it. The ledger prices it again when it is sold. */
export function quoteChoice(
  event: SaleEvent,
  choice: DoorChoice,
  seats: readonly DoorSeat[],
  key: string,
): DoorQuote | DoorProblem {
  const type = event.seatTypes.find(({ id }) => id === choice.seatTypeId)
  const asked = choice.quantities.reduce((sum, quantity) => sum + quantity, 0)
  const count = choice.seatIds.length > 0 ? choice.seatIds.length : asked
  if (type === undefined || count === 0) return { code: 'nothing' }
  const wish = asked > 0 ? variantsOf(type, choice.quantities) : []
  if (asked > 0 && asked !== count) return { code: 'variants', count }
  const chosen = chooseVariants(
    Array.from({ length: count }, () => type),
    wish.length === 0 ? undefined : wish,
  )
  if (chosen.status !== 'chosen') return { code: 'variants', count }
  const isFree = choice.method === 'complimentary'
  const order = priceOrder(
    chosen.variants.map((variant) => ({
      ...{ seatTypeId: type.id, variantId: variant?.id ?? null, name: nameOfSeat(type.name, variant) },
      price: isFree ? 0 : (variant ?? type).price,
    })),
    { taxRate: event.taxRate, fees: isFree ? [] : event.fees },
  )
  const names = seats.filter(({ id }) => choice.seatIds.includes(id)).map(({ row, number }) => `${row} ${number}`)
  return { ...order, seatNames: names, fields: fieldsOf(type, choice, { count, wish, key }) }
}

function variantsOf(type: SeatType, quantities: readonly number[]): VariantWish[] {
  return type.variants.flatMap(({ id: variantId }, index) => {
    const quantity = quantities[index] ?? 0
    return quantity === 0 ? [] : [{ variantId, quantity }]
  })
}

/** The fields of the form that sells; a form has only text. */
function fieldsOf(
  type: SeatType,
  { seatIds, method, email }: DoorChoice,
  { count, wish, key }: { count: number; wish: readonly VariantWish[]; key: string },
): Record<string, string> {
  const seats: Record<string, string> =
    seatIds.length > 0 ? { seatIds: seatIds.join(',') } : { seatTypeId: type.id, quantity: String(count) }
  const variants = new URLSearchParams(wish.map(({ variantId, quantity }) => [variantId, String(quantity)]))
  return {
    ...seats,
    ...(wish.length === 0 ? {} : { variants: variants.toString() }),
    ...(email === '' ? {} : { email }),
    ...{ method, key },
  }
}
