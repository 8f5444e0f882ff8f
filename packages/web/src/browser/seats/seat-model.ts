import { type House, type Outline, type PlanShape, pickSeats, type Variant } from '@seatwise/domain'
import type { MapShape, PlannedShape } from './map-shapes.ts'
import { placePlan } from './place-seats.ts'

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
  /** Which colour and pattern: those that the map shows are counted for it. */
  readonly tone: number
  readonly id: string
  readonly name: string
  readonly price: number
  readonly currency: string
  readonly isNumbered: boolean
  /** Other prices; where there are any, the first stands for the type's own. */
  readonly variants: readonly Variant[]
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
    readonly variants?: readonly Variant[]
    /** Where visitors stand. */
    readonly area?: Outline | null
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
  /** Stage, aisles, and the areas of types without numbers, as far as the plan shows them. */
  readonly shapes: readonly MapShape[]
  version: number
  readonly #byId: ReadonlyMap<string, Seat>
  /** Of types without numbers: ids that are free, by place of the type. */
  readonly #loose: ReadonlyMap<number, Set<string>>
  readonly #looseTypeOf = new Map<string, number>()
  readonly #houses: ReadonlyMap<number, House>
  /** Seats of the visitor's own reservation: taken for all other visitors. */
  readonly #own: ReadonlySet<string>

  constructor(answer: SeatMapAnswer, own: readonly string[], shapes: readonly PlanShape[] = []) {
    this.version = answer.version
    this.#own = new Set(own)
    const isShown = ({ reservedSeating, area }: SeatMapAnswer['seatTypes'][number]) => reservedSeating || area != null
    this.types = answer.seatTypes.map(({ reservedSeating, id, name, price, currency, variants = [] }, place) => ({
      ...{ place, id, name, price, currency, variants, isNumbered: reservedSeating },
      tone: answer.seatTypes.slice(0, place).filter(isShown).length,
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
    const placed = placePlan(seats, [...planned(shapes), ...this.#areas(answer)])
    this.seats = placed.seats
    this.shapes = placed.shapes
    this.#byId = new Map(this.seats.map((seat) => [seat.id, seat]))
    this.#houses = new Map(this.types.map(({ place }) => [place, houseOf(this.seats, place)]))
  }

  #areas({ seatTypes }: SeatMapAnswer): PlannedShape[] {
    return this.types.flatMap((type): PlannedShape[] => {
      const area = seatTypes[type.place]?.area ?? null
      return area === null ? [] : [{ kind: 'area', label: type.name, outline: area, type }]
    })
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

const planned = (shapes: readonly PlanShape[]): PlannedShape[] =>
  shapes.map(({ kind, label = '', outline }) => ({ kind, label, outline, type: null }))

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
