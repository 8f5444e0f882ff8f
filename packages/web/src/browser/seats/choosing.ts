import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { LineError, type Place, type Wish } from '@seatwise/client'
import type { SeatsData } from '../../pages/seats.ts'
import { formatMoney } from '../../views/money.ts'
import { type Filling, say, type Word } from '../../words/say.ts'
import { splitRow } from './map-labels.ts'
import type { AreaState } from './map-shapes.ts'
import { type Split, splitOf, stepSplit, sumOf, wishOf } from './price-split.ts'
import type { Seat, SeatChange, SeatModel, SeatTypeInfo } from './seat-model.ts'

/** A selected seat that another buyer took, and seats that are as good. */
export interface Offer {
  readonly lost: Seat
  readonly instead: readonly Seat[] | null
}

/** What a visitor does on the floor: choose, let go, take the best, reserve. Map, list and basket show it. */
export class Choosing {
  readonly data: SeatsData
  readonly model: SeatModel
  readonly chosen: Signal<ReadonlySet<Seat>> = signal(new Set())
  /** How many places without a number, by place of their type. */
  readonly loose: Signal<ReadonlyMap<number, number>> = signal(new Map())
  /** How many have a price other than the first of their type, by variant. */
  readonly reduced: Signal<ReadonlyMap<string, number>> = signal(new Map())
  readonly quantity: Signal<number>
  readonly accessible: Signal<boolean> = signal(false)
  readonly type: Signal<SeatTypeInfo | null>
  readonly focused: Signal<Seat | null> = signal(null)
  readonly offer: Signal<Offer | null> = signal(null)
  readonly notice: Signal<string | null> = signal(null)
  readonly isReserving: Signal<boolean> = signal(false)
  /** Grows when seats look otherwise. */
  readonly revision: Signal<number> = signal(0)
  readonly count: ReadonlySignal<number>
  readonly total: ReadonlySignal<string>
  readonly #place: () => Place | null

  constructor(data: SeatsData, model: SeatModel, place: () => Place | null) {
    this.data = data
    this.model = model
    this.#place = place
    this.type = signal(model.types.find((type) => type.isNumbered && model.freeOf(type) > 0) ?? null)
    this.quantity = signal(Math.min(2, data.event.maxSeatsPerBuyer))
    const own = data.place.reservation?.items.flatMap(({ seatId }) => model.find(seatId) ?? []) ?? []
    this.chosen.value = new Set(own)
    this.count = computed(
      () => this.chosen.value.size + [...this.loose.value.values()].reduce((sum, one) => sum + one, 0),
    )
    this.total = computed(() => this.money(this.#sum()))
  }

  get words() {
    return this.data.words.seats
  }

  say(word: Word, filling: Filling = {}): string {
    return say(this.data.language, word, filling)
  }

  money(amount: number): string {
    return formatMoney(this.data.language, amount, this.model.types[0]?.currency ?? 'EUR')
  }

  nameOf({ type, row: label, number }: Seat): string {
    const { section, row } = splitRow(label, this.data.event.sections[type.id])
    const seat = { row, number: String(number) }
    return section === null ? this.say(this.words.seat, seat) : this.say(this.words.seatIn, { ...seat, section })
  }

  /** What a seat is, said in full: for screen readers, the tip beside the finger, and the list. */
  describe(seat: Seat): string {
    const look = this.chosen.value.has(seat) ? 'chosen' : seat.look
    const special = seat.isAccessible ? `, ${this.words.accessible}` : ''
    return `${this.nameOf(seat)}, ${seat.type.name}, ${this.pricesOf(seat.type)}${special}, ${this.words[look]}`
  }

  /** What the area of a type says on the map. */
  stateOfArea(type: SeatTypeInfo): AreaState {
    const free = this.model.freeOf(type)
    const left = free === 0 ? this.words.taken : this.say(this.data.words.wait.left, { count: free })
    return { isFree: free > 0, chosen: this.countOf(type), details: `${this.pricesOf(type)} · ${left}` }
  }

  describeArea(type: SeatTypeInfo): string {
    const { details, chosen } = this.stateOfArea(type)
    return [type.name, details, ...(chosen > 0 ? [`${chosen} ${this.words.chosen}`] : [])].join(', ')
  }

  /** One price, or the lowest and highest of several. */
  pricesOf({ price, variants }: SeatTypeInfo): string {
    const prices = variants.length === 0 ? [price] : variants.map((variant) => variant.price)
    const [low, high] = [Math.min(...prices), Math.max(...prices)]
    return low === high ? this.money(low) : `${this.money(low)}–${this.money(high)}`
  }

  /** How many seats of a type are chosen, with a number or without. */
  countOf(type: SeatTypeInfo): number {
    const seats = [...this.chosen.value].filter((seat) => seat.type === type).length
    return seats + (this.loose.value.get(type.place) ?? 0)
  }

  /** Tap to choose, tap again to let go. */
  toggle(seat: Seat): void {
    this.notice.value = null
    this.offer.value = null
    const chosen = new Set(this.chosen.value)
    if (chosen.delete(seat)) this.chosen.value = chosen
    else if (seat.look === 'taken') this.offer.value = { lost: seat, instead: this.model.nearest([seat]) }
    else if (seat.look === 'free' && this.#hasRoom(1)) this.chosen.value = chosen.add(seat)
  }

  changeLoose(type: SeatTypeInfo, step: 1 | -1): void {
    this.notice.value = null
    const counts = new Map(this.loose.value)
    const count = (counts.get(type.place) ?? 0) + step
    if (count < 0 || (step > 0 && !this.#hasRoom(1))) return
    if (count > this.model.freeOf(type)) {
      this.notice.value = this.say(this.words.notEnough, { count: this.model.freeOf(type) })
      return
    }
    this.loose.value = counts.set(type.place, count)
  }

  dropLoose(type: SeatTypeInfo): void {
    this.notice.value = null
    this.loose.value = new Map(this.loose.value).set(type.place, 0)
  }

  /** How many of the chosen seats of a type have which of its prices. */
  splitOf(type: SeatTypeInfo): Split[] {
    return splitOf(type, this.countOf(type), this.reduced.value)
  }

  changePrice(type: SeatTypeInfo, variantId: string, step: 1 | -1): void {
    this.reduced.value = stepSplit(this.splitOf(type), this.reduced.value, variantId, step)
  }

  /** One tap: the best seats of the type, together if possible, instead of what was chosen. */
  takeBest(): void {
    const type = this.type.value
    if (type === null) return
    this.notice.value = null
    this.offer.value = null
    const best = this.model.best(type, this.quantity.value, this.accessible.value)
    if (best === null) this.notice.value = this.words.noTogether
    else this.chosen.value = new Set(best)
    this.focused.value = best?.[0] ?? this.focused.value
  }

  takeInstead({ lost, instead }: Offer): void {
    const chosen = new Set(this.chosen.value)
    chosen.delete(lost)
    for (const seat of instead ?? [])
      if (this.#hasRoom(1) || chosen.size < this.data.event.maxSeatsPerBuyer) chosen.add(seat)
    this.chosen.value = chosen
    this.offer.value = null
    this.focused.value = instead?.[0] ?? null
  }

  /** What others did. A visitor who loses a selected seat is told beside it, and offered equally good ones. */
  hear(changes: readonly SeatChange[]): void {
    const changed = this.model.apply(changes)
    if (changes.length > 0) this.revision.value += 1
    const lost = changed.filter((seat) => seat.look !== 'free' && this.chosen.value.has(seat))
    if (lost.length === 0 || this.isReserving.value) return
    this.#lose(lost)
  }

  async reserve(): Promise<void> {
    const place = this.#place()
    if (place === null || this.count.value === 0) return
    this.isReserving.value = true
    this.notice.value = null
    try {
      const { code } = this.data
      const variants = wishOf(this.model.types.flatMap((type) => this.splitOf(type)))
      const prices = variants.length === 0 ? {} : { variants }
      const { id } = await place.reserve({ ...this.#wish(), ...prices, ...(code && { code: code.text }) })
      location.assign(`/checkout/${id}`)
    } catch (error) {
      this.isReserving.value = false
      this.#explain(error)
    }
  }

  #lose(lost: readonly Seat[]): void {
    const [first] = lost
    if (first === undefined) return
    this.chosen.value = new Set([...this.chosen.value].filter((seat) => !lost.includes(seat)))
    this.offer.value = { lost: first, instead: this.model.nearest(lost) }
    this.focused.value = first
  }

  #explain(error: unknown): void {
    const { code, details } = error instanceof LineError ? error : { code: '', details: {} }
    const seatIds = (details as { seatIds?: readonly string[] }).seatIds ?? []
    const available = Number((details as { available?: number }).available ?? 0)
    switch (code) {
      case 'SEAT_TAKEN':
        this.model.apply(seatIds.map((id) => ({ id, status: 'held' })))
        this.revision.value += 1
        this.#lose(seatIds.flatMap((id) => this.model.find(id) ?? []))
        this.notice.value = this.words.wasTaken
        return
      case 'NOT_ENOUGH_LEFT':
        this.notice.value = available > 0 ? this.say(this.words.notEnough, { count: available }) : this.words.noneNow
        return
      case 'SOLD_OUT':
        this.notice.value = this.words.noneNow
        return
      case 'NO_TIME_LEFT':
        this.notice.value = this.words.noTime
        return
      case 'LIMIT_REACHED':
        this.notice.value = this.say(this.words.tooMany, { count: this.data.event.maxSeatsPerBuyer })
        return
      case 'CODE_UNKNOWN':
        this.notice.value = this.data.words.code.unknown
        return
      case 'CODE_USED_UP':
        this.notice.value = this.data.words.code.usedUp
        return
      case 'CODE_NOT_APPLICABLE':
        this.notice.value = this.data.words.code.notApplicable
        return
      case 'NOT_ACTIVE':
        location.reload()
        return
      default:
        this.notice.value = this.data.words.wait.failed
    }
  }

  /** Places of one type without numbers are left to the server to pick; everything else is named seat by seat. */
  #wish(): Wish {
    const loose = [...this.loose.value].filter(([, count]) => count > 0)
    const [only] = loose
    const typeOf = (place: number) => this.model.types[place]
    if (this.chosen.value.size === 0 && loose.length === 1 && only !== undefined) {
      return { seatTypeId: typeOf(only[0])?.id ?? '', quantity: only[1] }
    }
    const looseIds = loose.flatMap(([place, count]) => {
      const type = typeOf(place)
      return type === undefined ? [] : this.model.looseIds(type, count)
    })
    return { seatIds: [...[...this.chosen.value].map(({ id }) => id), ...looseIds] }
  }

  #hasRoom(more: number): boolean {
    const { maxSeatsPerBuyer } = this.data.event
    if (this.count.value + more <= maxSeatsPerBuyer) return true
    this.notice.value = this.say(this.words.tooMany, { count: maxSeatsPerBuyer })
    return false
  }

  #sum(): number {
    return this.model.types.reduce((sum, type) => sum + sumOf(type, this.countOf(type), this.splitOf(type)), 0)
  }
}
