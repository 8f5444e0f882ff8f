import { type House, pickSeats } from '@seatwise/domain'
import { placeSeats } from './place-seats.ts'

/** What a seat is to the visitor. Held or sold makes no difference: it is taken. */
export type SeatLook = 'free' | 'taken' | 'blocked'

export interface Seat {
  readonly index: number
  readonly id: string
  readonly type: SeatTypeInfo
  readonly row: string
  readonly number: number
  /** How far along the row; two seats are side by side when they differ by one. */
  readonly along: number
  readonly isAccessible: boolean
  /** On the map, about one unit from a seat to the next, whatever unit the plan has. */
  readonly x: number
  readonly y: number
  look: SeatLook
}

export interface SeatTypeInfo {
  readonly place: number
  /** Which colour and pattern: those with numbered seats are counted for it. */
  readonly tone: number
  readonly id: string
  readonly name: string
  readonly price: number
  readonly currency: string
  readonly isNumbered: boolean
}

/** `GET /api/events/:id/seats`. */
export interface SeatMapAnswer {
  readonly version: number
  readonly seatTypes: readonly {
    readonly id: string
    readonly name: string
    readonly price: number
    readonly currency: string
    readonly reservedSeating: boolean
  }[]
  readonly seats: readonly {
    readonly id: string
    readonly seatTypeId: string
    readonly row: string | null
    readonly number: number | null
    /** Left out where it is the number. */
    readonly along?: number
    readonly status: string
    readonly accessible?: boolean
    readonly x?: number
    readonly y?: number
  }[]
}

export interface SeatChange {
  readonly id: string
  readonly status: string
}

/** All seats of an event as this device knows them. Seats without a number are only counted. */
export class SeatModel {
  readonly types: readonly SeatTypeInfo[]
  readonly seats: readonly Seat[]
  version: number
  readonly #byId: ReadonlyMap<string, Seat>
  /** Of types without numbers: ids that are free, by place of the type. */
  readonly #loose: ReadonlyMap<number, Set<string>>
  readonly #looseTypeOf = new Map<string, number>()
  readonly #houses: ReadonlyMap<number, House>
  /** Seats of the visitor's own reservation: taken for all other visitors. */
  readonly #own: ReadonlySet<string>

  constructor(answer: SeatMapAnswer, own: readonly string[]) {
    this.version = answer.version
    this.#own = new Set(own)
    this.types = answer.seatTypes.map(({ reservedSeating, id, name, price, currency }, place) => ({
      ...{ place, id, name, price, currency, isNumbered: reservedSeating },
      tone: answer.seatTypes.slice(0, place).filter((type) => type.reservedSeating).length,
    }))
    const types = new Map(this.types.map((type) => [type.id, type]))
    this.#loose = new Map(this.types.map(({ place }) => [place, new Set()]))
    const seats: Seat[] = []
    for (const { id, seatTypeId, row, number, along, status, accessible, x, y } of answer.seats) {
      const type = types.get(seatTypeId)
      if (type === undefined) continue
      if (row === null || number === null) {
        this.#looseTypeOf.set(id, type.place)
        this.#setLoose(id, status)
        continue
      }
      const look = this.#lookOf(id, status)
      const spot = { x: x ?? Number.NaN, y: y ?? Number.NaN }
      const stands = { row, number, along: along ?? number, isAccessible: accessible === true }
      seats.push({ index: seats.length, id, type, ...stands, look, ...spot })
    }
    this.seats = placeSeats(seats)
    this.#byId = new Map(this.seats.map((seat) => [seat.id, seat]))
    this.#houses = new Map(this.types.map(({ place }) => [place, houseOf(this.seats, place)]))
  }

  find(id: string): Seat | undefined {
    return this.#byId.get(id)
  }

  /** Takes over changes; returns the numbered seats that look otherwise now. */
  apply(changes: readonly SeatChange[]): Seat[] {
    const changed: Seat[] = []
    for (const { id, status } of changes) {
      const seat = this.#byId.get(id)
      if (seat === undefined) {
        this.#setLoose(id, status)
        continue
      }
      const look = this.#lookOf(id, status)
      if (look === seat.look) continue
      seat.look = look
      changed.push(seat)
    }
    return changed
  }

  freeOf(type: SeatTypeInfo): number {
    const loose = this.#loose.get(type.place)?.size ?? 0
    return type.isNumbered ? this.seats.filter((seat) => seat.type === type && seat.look === 'free').length : loose
  }

  /** Ids of free places without a number, not the first ones: others take those. */
  looseIds(type: SeatTypeInfo, count: number): string[] {
    const ids = [...(this.#loose.get(type.place) ?? [])]
    const start = Math.floor(Math.random() * Math.max(1, ids.length - count))
    return ids.slice(start, start + count)
  }

  /** The best free seats of a type, together if there are so many together. */
  best(type: SeatTypeInfo, quantity: number, accessible: boolean): Seat[] | null {
    return this.#pick(type, { quantity, accessible }, (seat) => seat.look === 'free')
  }

  /** As many seats of the same price side by side, nearest to where these were. */
  nearest(lost: readonly Seat[]): Seat[] | null {
    const [first] = lost
    if (first === undefined) return null
    const runs = this.seats.filter(
      ({ type, look, isAccessible }) => type === first.type && look === 'free' && !isAccessible,
    )
    let best: { seats: Seat[]; distance: number } | null = null
    for (const [index, seat] of runs.entries()) {
      const group = runs.slice(index, index + lost.length)
      const isTogether = group.every((one, step) => one.row === seat.row && one.along === seat.along + step)
      if (group.length < lost.length || !isTogether) continue
      const distance = Math.hypot(seat.x - first.x, (seat.y - first.y) * 2)
      if (best === null || distance < best.distance) best = { seats: group, distance }
    }
    return best?.seats ?? null
  }

  #pick(
    type: SeatTypeInfo,
    wish: { quantity: number; accessible: boolean },
    isFree: (seat: Seat) => boolean,
  ): Seat[] | null {
    const house = this.#houses.get(type.place)
    if (house === undefined) return null
    const seed = Math.floor(Math.random() * 2 ** 31)
    const free = (index: number): boolean => {
      const seat = this.seats[index]
      return seat !== undefined && isFree(seat)
    }
    const picked = pickSeats(house, free, { ...wish, seed })
    return picked?.flatMap((index) => this.seats[index] ?? []) ?? null
  }

  #lookOf(id: string, status: string): SeatLook {
    if (status === 'available' || (status === 'held' && this.#own.has(id))) return 'free'
    return status === 'blocked' ? 'blocked' : 'taken'
  }

  #setLoose(id: string, status: string): void {
    const place = this.#looseTypeOf.get(id)
    const free = place === undefined ? undefined : this.#loose.get(place)
    if (this.#lookOf(id, status) === 'free') free?.add(id)
    else free?.delete(id)
  }
}

function houseOf(seats: readonly Seat[], place: number): House {
  const rows = Map.groupBy(
    seats.filter(({ type }) => type.place === place),
    ({ row }) => row,
  )
  return {
    accessible: seats.map(({ isAccessible }) => isAccessible),
    rows: [...rows.values()].map((inRow) => {
      const inOrder = inRow.toSorted((one, other) => one.along - other.along)
      const [first, last] = [inOrder[0]?.along ?? 0, inOrder.at(-1)?.along ?? 0]
      return {
        along: inOrder.map(({ along }) => along),
        indexes: inOrder.map(({ index }) => index),
        focus: (first + last) / 2,
      }
    }),
  }
}
