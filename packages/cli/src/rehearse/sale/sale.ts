/** The sale that is rehearsed, as far as visitors need to know it. */
export interface Sale {
  readonly eventId: string
  readonly roomId: string
  readonly name: string
  /** All seats that are not blocked. */
  readonly seats: number
  readonly seatTypeIds: readonly string[]
  readonly isFree: boolean
  readonly guests: boolean
  readonly claimMs: number
  readonly sessionMs: number
  readonly reservationMs: number
  readonly settings: Readonly<Record<string, unknown>>
}

/** Reads the event that a server sells. */
export async function findSale(url: URL, eventId: string): Promise<Sale> {
  const answer = await fetch(new URL(`/api/events/${encodeURIComponent(eventId)}`, url))
  if (!answer.ok) throw new Error(`${url.origin} has no event ${eventId}: it answered ${answer.status}`)
  return saleOf(await answer.json())
}

interface EventBody {
  readonly id: string
  readonly roomId: string
  readonly name: string
  readonly remainingSeats: number
  readonly seatTypes: readonly { readonly id: string; readonly price?: number; readonly remaining: number }[]
  readonly room: Readonly<Record<string, unknown>> & {
    readonly guests: boolean
    readonly claimSeconds: number
    readonly sessionSeconds: number
    readonly reservationSeconds: number
  }
}

/** Reads the body of an event, which another version of the server, or another server, may have sent. */
export function saleOf(body: unknown): Sale {
  if (!isEvent(body)) throw new Error('The server answered with a body that is not an event')
  const { id, roomId, name, remainingSeats, seatTypes, room } = body
  const open = seatTypes.filter(({ remaining }) => remaining > 0)
  return {
    ...{ eventId: id, roomId, name, seats: remainingSeats, seatTypeIds: open.map((type) => type.id) },
    ...{ isFree: seatTypes.every(({ price = 0 }) => price === 0), guests: room.guests, settings: room },
    ...{ claimMs: room.claimSeconds * 1_000, sessionMs: room.sessionSeconds * 1_000 },
    reservationMs: room.reservationSeconds * 1_000,
  }
}

function isEvent(body: unknown): body is EventBody {
  if (!isObject(body) || !isObject(body.room) || !Array.isArray(body.seatTypes)) return false
  const { id, roomId, name, remainingSeats } = body
  const { guests, claimSeconds, sessionSeconds, reservationSeconds } = body.room
  const texts = [id, roomId, name]
  const numbers = [remainingSeats, claimSeconds, sessionSeconds, reservationSeconds]
  return (
    texts.every((text) => typeof text === 'string') &&
    numbers.every((number) => typeof number === 'number') &&
    typeof guests === 'boolean' &&
    body.seatTypes.every(isSeatType)
  )
}

function isSeatType(type: unknown): boolean {
  return isObject(type) && typeof type.id === 'string' && typeof type.remaining === 'number'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
