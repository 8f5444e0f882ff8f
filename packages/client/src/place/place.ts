import { awaitOutcome, cancel, pay, reserve, setAddressee } from '../buying.ts'
import { hear, type Memory, type News, remember, show } from '../device/memory.ts'
import { type SharedTabs, shareTabs } from '../device/tabs.ts'
import { isPassing } from '../errors.ts'
import type { Call } from '../network/api.ts'
import { insist } from '../network/insist.ts'
import { Watch } from '../network/watch.ts'
import type { Addressee, Neighbor, Place, PlaceState, PushMessage, Tabs, Wish } from '../types.ts'
import { isLive } from './machine.ts'
import type { JoinAnswer, Position } from './position.ts'
import type { Parts } from './prepare.ts'

const ACT_ATTEMPTS_MAX = 4
const AFTER_BUYING_MS = 300

/** A place that is kept up to date until it is over or closed. */
export class LivePlace implements Place {
  readonly #parts: Parts
  readonly #watch: Watch
  readonly #listeners = new Set<(state: PlaceState) => void>()
  readonly #messageListeners = new Set<(message: PushMessage) => void>()
  #memory: Memory
  #state: PlaceState
  #tabs: SharedTabs<News> | null = null
  #isClosed = false

  constructor(parts: Parts, position: Position) {
    this.#parts = parts
    this.#memory = remember(position, parts.skewMs(), parts.now())
    this.#state = show(this.#memory)
    this.#watch = new Watch(
      parts,
      () => this.#memory,
      (news) => this.#tell(news),
    )
    if (!isLive(this.#memory.status)) return
    if (parts.tabs) this.#tabs = this.#shareTabs(parts.tabs)
    else this.#watch.begin()
  }

  get state(): PlaceState {
    return this.#state
  }

  on(listener: (state: PlaceState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onMessage(listener: (message: PushMessage) => void): () => void {
    this.#messageListeners.add(listener)
    return () => this.#messageListeners.delete(listener)
  }

  /** The current state, then each that follows; a slow reader gets only the latest. Ends with the place. */
  async *[Symbol.asyncIterator](): AsyncGenerator<PlaceState, void> {
    let wake = () => {}
    const stop = this.on(() => wake())
    try {
      for (let shown: PlaceState | null = null; ; ) {
        if (shown !== this.#state) {
          shown = this.#state
          yield shown
        } else if (this.#isClosed) return
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    } finally {
      stop()
    }
  }

  async claim(): Promise<PlaceState> {
    return this.#acted(await this.#act<Partial<Position>>('POST', '/claim'))
  }

  async extend(): Promise<PlaceState> {
    const key = this.#parts.newKey()
    return this.#acted({ ...(await this.#act<Partial<Position>>('POST', '/extend', { key })), extended: true })
  }

  async complete(): Promise<PlaceState> {
    return this.#acted(await this.#act<Partial<Position>>('POST', '/complete'))
  }

  async leave(): Promise<PlaceState> {
    await this.#act('DELETE', '')
    return this.#acted({ status: 'expired', reason: 'cancelled' })
  }

  handOver(): Promise<{ code: string; expiresAt: string }> {
    return this.#act('POST', '/handover')
  }

  invite(): ReturnType<Place['invite']> {
    return this.#act('POST', '/groups')
  }

  async joinGroup(group: string): Promise<PlaceState> {
    keep(this.#parts, await this.#act<JoinAnswer>('POST', '/join', { body: { group } }))
    return this.refresh()
  }

  async neighbors(around = 3): Promise<readonly Neighbor[]> {
    return (await this.#act<{ items: Neighbor[] }>('GET', `/neighbors?around=${around}`)).items
  }

  async showAs(name: string | null): Promise<{ name: string | null }> {
    const body = name === null ? { showMe: false } : { showMe: true, name }
    const shown = await this.#act<{ name: string | null }>('POST', '/shown', { body })
    if (this.#parts.options.presence) this.#watch.listenAnew()
    return shown
  }

  async refresh(): Promise<PlaceState> {
    await this.#watch.poll()
    return this.#state
  }

  async reserve(wish: Wish) {
    const reservation = await this.#buying(reserve(this.#parts, wish, this.#memory.position.activeToken))
    this.#acted({ reservation, expiresAt: reservation.expiresAt })
    return reservation
  }

  cancel(reservationId: string) {
    return this.#buying(cancel(this.#parts, reservationId))
  }

  setAddressee(reservationId: string, addressee: Addressee) {
    return this.#buying(setAddressee(this.#parts, reservationId, addressee))
  }

  pay(reservationId: string, paymentMethod?: string) {
    return this.#buying(pay(this.#parts, reservationId, paymentMethod))
  }

  awaitOutcome(operationId: string) {
    return this.#buying(awaitOutcome(this.#parts, operationId))
  }

  close(): void {
    this.#isClosed = true
    this.#watch.end()
    this.#tabs?.close()
    // An answer that is under way must not be told through a channel that is closed.
    this.#tabs = null
    for (const listener of this.#listeners) listener(this.#state)
    this.#listeners.clear()
  }

  #shareTabs(tabs: Tabs): SharedTabs<News> {
    const { origin, room, page } = this.#parts
    return shareTabs<News>({
      ...{ tabs, page, name: `seatwise:${origin}${room}:${this.#state.ticketId}` },
      lead: () => this.#watch.begin(),
      follow: () => this.#watch.end(),
      hear: (news) => this.#hear(news),
    })
  }

  async #act<Body>(method: 'GET' | 'POST' | 'DELETE', path: string, call?: Call): Promise<Body> {
    const { send, room } = this.#parts
    try {
      return await insist(this.#parts, () => send<Body>(method, `${room}/queue${path}`, call), ACT_ATTEMPTS_MAX)
    } catch (error) {
      // Whether the ticket is gone, moved or merely not admitted, the next answer tells.
      if (!isPassing(error)) this.#watch.askWithin(0)
      throw error
    }
  }

  /** However it ends, pass, deadline and reservation may be other ones afterwards. */
  #buying<Result>(outcome: Promise<Result>): Promise<Result> {
    return outcome.finally(() => this.#watch.askWithin(AFTER_BUYING_MS))
  }

  #acted(change: Partial<Position>): PlaceState {
    this.#tell({ kind: 'acted', change })
    return this.#state
  }

  /** Heard here; the other tabs hear it, too. */
  #tell(news: News): void {
    this.#tabs?.tell(news)
    this.#hear(news)
  }

  #hear(news: News): void {
    if (this.#isClosed) return
    this.#memory = hear(this.#memory, news, this.#parts.now())
    if (news.kind === 'acted') this.#watch.acted()
    if (news.kind === 'push') for (const listener of this.#messageListeners) listener(news.message)
    const state = show(this.#memory)
    // Most of what is heard changes nothing that is shown.
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return
    this.#state = state
    if (!isLive(state.status)) this.close()
    else for (const listener of this.#listeners) listener(state)
  }
}

/** A place from an answer that has tokens, which are kept where no cookie has them. */
export async function openPlace(parts: Parts, ask: () => Promise<JoinAnswer>): Promise<Place> {
  return new LivePlace(parts, keep(parts, await insist(parts, ask)))
}

/** Keeps what proves the place, and returns the rest. */
function keep(parts: Parts, { ticketToken, accessToken, ...position }: JoinAnswer): Position {
  if (parts.options.proof === 'storage') parts.kept.write({ ticketToken, ...(accessToken && { accessToken }) })
  return position
}
