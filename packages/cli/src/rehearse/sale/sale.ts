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
  // The wire contract says what an event is.
  return saleOf((await answer.json()) as EventBody)
}

export interface EventBody {
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

export function saleOf({ id, roomId, name, remainingSeats, seatTypes, room }: EventBody): Sale {
  const open = seatTypes.filter(({ remaining }) => remaining > 0)
  return {
    ...{ eventId: id, roomId, name, seats: remainingSeats, seatTypeIds: open.map((type) => type.id) },
    ...{ isFree: seatTypes.every(({ price = 0 }) => price === 0), guests: room.guests, settings: room },
    ...{ claimMs: room.claimSeconds * 1_000, sessionMs: room.sessionSeconds * 1_000 },
    reservationMs: room.reservationSeconds * 1_000,
  }
}
