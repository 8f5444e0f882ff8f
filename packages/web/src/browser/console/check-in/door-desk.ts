import { signal } from '@preact/signals'
import { DOOR_SCANS_MAX, type DoorVerdict, judgeAtDoor, type ListedTicket, readShortCode } from '@seatwise/domain'
import { call, explain, Refused } from '../kit/api.ts'
import { BadList, canVerify, type DoorList, fetchList, readList } from './door-list.ts'
import { type DoorStore, type KeptScan, openDoorStore } from './door-store.ts'
import { keepPage } from './keep-page.ts'

/** A scanner that waits longer holds up the line of people behind it. */
const ANSWER_MS_MAX = 4_000
const LOOK_MS = 10_000
/** While the connection is away: it is looked for more often. */
const LOOK_AGAIN_MS = 3_000
/** Refunds and transfers are on the list; check-ins of other doors come with every look. */
const LIST_MS_MAX = 5 * 60_000
/** Longer than any event lasts. */
const KEPT_MS_MAX = 7 * 24 * 60 * 60_000

export interface SeatName {
  readonly type: string
  readonly row: string | null
  readonly number: number | null
}

/** A scan that let a holder in who should not have been. */
export interface TroubledScan {
  readonly id: string
  readonly eticketId: string
  readonly door: string | null
  readonly scannedAt: string
  readonly outcome: 'in' | 'conflict' | 'void'
  readonly seat: SeatName
  readonly checkedInAt: string | null
  readonly countedDoor: string | null
}

interface DoorNews {
  readonly at: string
  readonly valid: number
  readonly inside: number
  readonly doors: readonly { readonly door: string; readonly in: number }[]
  readonly scans: readonly TroubledScan[]
  readonly isComplete: boolean
  readonly troubled: readonly TroubledScan[]
}

/** What a scan was found to be, by the server or by this device. */
export type Found =
  | { readonly by: 'server'; readonly seat: SeatName; readonly holder: string | null }
  | { readonly by: 'list'; readonly verdict: DoorVerdict; readonly ticket: ListedTicket | null }
  | { readonly by: 'nobody'; readonly why: 'no-list' | 'not-ours' | 'other-event' | 'old-code' }

/** The work of one door: it asks the server, decides by itself while there is none, and sends what it decided. */
export class DoorDesk {
  readonly #eventId: string
  readonly isOnline = signal(navigator.onLine)
  readonly list = signal<DoorList | null>(null)
  readonly news = signal<DoorNews | null>(null)
  /** Scans that the server does not know of yet. */
  readonly unsent = signal(0)
  readonly notTaken = signal(0)
  /** Why the server does not tell, other than being away. */
  readonly problem = signal('')
  readonly state = signal<'loading' | 'ready' | 'needs-https' | 'bad-list' | 'forgotten'>('loading')
  door: string
  #store: DoorStore | null = null
  /** When each e-ticket was used, as far as this device knows. */
  readonly #used = new Map<string, string>()
  #listAt = 0
  #since: string | null = null

  constructor(eventId: string, door: string) {
    this.#eventId = eventId
    this.door = door
  }

  /** Begins with what the device kept, then asks the server again and again. */
  async start(): Promise<void> {
    addEventListener('online', () => this.look())
    addEventListener('offline', () => {
      this.isOnline.value = false
    })
    if (canVerify()) await this.#openKept()
    else this.state.value = 'needs-https'
    const again = async (): Promise<void> => {
      await this.look()
      setTimeout(again, this.isOnline.value ? LOOK_MS : LOOK_AGAIN_MS)
    }
    await again()
  }

  async check(typed: { readonly code: string } | { readonly shortCode: string }): Promise<Found> {
    const id = crypto.randomUUID()
    if (this.isOnline.value) {
      try {
        return await this.#ask(id, typed)
      } catch (error) {
        if (!isAway(error)) throw error
        this.isOnline.value = false
      }
    }
    return await this.#judge(id, typed)
  }

  usedAt({ id, checkedInAt }: ListedTicket): string | null {
    return this.#used.get(id) ?? checkedInAt
  }

  /** Sends what waits, then reads counts and what other doors did. */
  async look(): Promise<void> {
    try {
      await this.#send()
      const since = this.#since ?? new Date(0).toISOString()
      const query = `since=${encodeURIComponent(since)}`
      const news = await call<DoorNews>('GET', `/api/events/${this.#eventId}/door?${query}`, undefined, deadline())
      for (const { eticketId, checkedInAt } of news.scans) {
        if (checkedInAt !== null) this.#used.set(eticketId, checkedInAt)
      }
      const isStale = !news.isComplete && this.#since !== null
      this.#since = news.at
      this.news.value = news
      this.problem.value = ''
      this.isOnline.value = true
      if (this.state.value !== 'forgotten' && (isStale || Date.now() - this.#listAt > LIST_MS_MAX)) await this.update()
    } catch (error) {
      if (isAway(error)) this.isOnline.value = false
      else this.problem.value = explain(error)
    }
  }

  /** Reads the list anew, and keeps it and the page for the time without a connection. */
  async update(): Promise<void> {
    if (!canVerify()) return
    const kept = await fetchList(this.#eventId)
    try {
      this.list.value = await readList(kept)
    } catch (error) {
      if (!(error instanceof BadList)) throw error
      this.state.value = 'bad-list'
      return
    }
    this.#listAt = Date.now()
    this.state.value = 'ready'
    const store = await this.#opened()
    await store.writeList(kept)
    await keepPage()
  }

  /** Takes the names off the device; not while the server does not know of all scans. */
  async forget(): Promise<void> {
    if (this.unsent.value > 0) return
    const store = await this.#opened()
    await store.forget(this.#eventId)
    this.list.value = null
    this.state.value = 'forgotten'
  }

  async #opened(): Promise<DoorStore> {
    this.#store ??= await openDoorStore()
    return this.#store
  }

  async #openKept(): Promise<void> {
    const store = await this.#opened()
    await store.forgetBefore(Date.now() - KEPT_MS_MAX)
    const scans = await store.scansOf(this.#eventId)
    for (const { eticketId, at } of scans) this.#used.set(eticketId, at)
    this.unsent.value = scans.filter(({ isSent }) => !isSent).length
    const kept = await store.readList(this.#eventId)
    if (kept === null) return
    try {
      this.list.value = await readList(kept)
      this.state.value = 'ready'
    } catch (error) {
      if (!(error instanceof BadList)) throw error
      this.state.value = 'bad-list'
    }
  }

  async #ask(scanId: string, typed: object): Promise<Found> {
    const body = { ...typed, eventId: this.#eventId, door: this.door, scanId }
    type LetIn = { eticketId: string; checkedInAt: string; seat: SeatName; holder?: string | null }
    const answer = await call<LetIn>('POST', '/api/checkin', body, deadline())
    this.#used.set(answer.eticketId, answer.checkedInAt)
    return { by: 'server', seat: answer.seat, holder: answer.holder ?? null }
  }

  /** As the ledger would judge it, by what this device knows. */
  async #judge(id: string, typed: { readonly code: string } | { readonly shortCode: string }): Promise<Found> {
    const list = this.list.value
    if (list === null) return { by: 'nobody', why: 'no-list' }
    const named = await this.#identify(list, typed)
    if (typeof named === 'string') return { by: 'nobody', why: named }
    const { ticket, generation } = named
    const verdict = judgeAtDoor(ticket, generation, ticket === undefined ? null : this.usedAt(ticket))
    if (verdict.is === 'in' && ticket !== undefined) await this.#keep(id, ticket)
    return { by: 'list', verdict, ticket: ticket ?? null }
  }

  async #identify(
    list: DoorList,
    typed: { readonly code: string } | { readonly shortCode: string },
  ): Promise<
    { ticket: ListedTicket | undefined; generation: number | null } | 'not-ours' | 'other-event' | 'old-code'
  > {
    if ('shortCode' in typed) {
      const shortCode = readShortCode(typed.shortCode)
      return { ticket: shortCode === null ? undefined : list.byShortCode.get(shortCode), generation: null }
    }
    const claims = await list.readCode(typed.code)
    // A JWT, as earlier versions printed it: the list has no keys in the form that it needs.
    if (claims === null) return typed.code.split('.').length === 3 ? 'old-code' : 'not-ours'
    if (claims.eventId !== this.#eventId) return 'other-event'
    return { ticket: list.tickets.get(claims.id), generation: claims.generation }
  }

  async #keep(id: string, { id: eticketId, generation }: ListedTicket): Promise<void> {
    const at = new Date().toISOString()
    // Before the scan is on the disk: the same code before a second camera must not let in twice.
    this.#used.set(eticketId, at)
    const { door } = this
    const store = await this.#opened()
    await store.writeScan({ id, eventId: this.#eventId, door, eticketId, generation, at, isSent: false })
    this.unsent.value += 1
  }

  async #send(): Promise<void> {
    if (this.unsent.value === 0) return
    const store = await this.#opened()
    const waiting = (await store.scansOf(this.#eventId)).filter(({ isSent }) => !isSent)
    for (const [door, scans] of Map.groupBy(waiting, (scan) => scan.door)) {
      for (let first = 0; first < scans.length; first += DOOR_SCANS_MAX) {
        await this.#sendSome(store, door, scans.slice(first, first + DOOR_SCANS_MAX))
      }
    }
    this.unsent.value = (await store.scansOf(this.#eventId)).filter(({ isSent }) => !isSent).length
  }

  async #sendSome(store: DoorStore, door: string, scans: readonly KeptScan[]): Promise<void> {
    const body = { door, scans: scans.map(({ id, eticketId, generation, at }) => ({ id, eticketId, generation, at })) }
    type Taken = { items: { id: string; outcome: string }[] }
    const { items } = await call<Taken>('POST', `/api/events/${this.#eventId}/door/scans`, body)
    for (const { id, outcome } of items) {
      const scan = scans.find((one) => one.id === id)
      if (scan !== undefined) await store.writeScan({ ...scan, isSent: true })
      if (outcome === 'unknown') this.notTaken.value += 1
    }
  }
}

const deadline = (): AbortSignal => AbortSignal.timeout(ANSWER_MS_MAX)

/** The connection is away, or the server cannot answer now. Every other refusal is a judgement. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Refused)) return false
  const { statusCode } = error.details
  return error.code === 'OFFLINE' || (typeof statusCode === 'number' && statusCode >= 500)
}
