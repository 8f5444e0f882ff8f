import type { Api, Call } from './api.ts'
import { cancel, pay, reserve, settle } from './buying.ts'
import { LineError } from './errors.ts'
import { insist } from './insist.ts'
import type { Kept } from './kept.ts'
import { isLive } from './machine.ts'
import { hear, type Memory, type News, remember, show } from './memory.ts'
import type { JoinAnswer, Standing } from './standing.ts'
import { SharedTabs } from './tabs.ts'
import type { Environment, Neighbor, Place, PlaceOptions, PlaceState, PushMessage, Wish } from './types.ts'
import { Watch } from './watch.ts'

export interface PlaceParts {
  readonly options: PlaceOptions
  readonly environment: Environment
  readonly api: Api
  readonly kept: Kept
}

const ACT_ATTEMPTS_MAX = 4
/** After it the pass and the deadline are other ones. */
const AFTER_RESERVING_MS = 300

/** A place that is kept up to date until it is over or closed. */
export class LivePlace implements Place {
  readonly #parts: PlaceParts
  readonly #watch: Watch
  readonly #tabs: SharedTabs<News> | null
  readonly #listeners = new Set<(state: PlaceState) => void>()
  readonly #messageListeners = new Set<(message: PushMessage) => void>()
  #memory: Memory
  #state: PlaceState
  #isClosed = false

  constructor(parts: PlaceParts, standing: Standing, skewMs: number | null) {
    const { environment, api, options } = parts
    this.#parts = parts
    this.#memory = remember(standing, skewMs, environment.now())
    this.#state = show(this.#memory)
    this.#watch = new Watch({
      ...{ api, environment, options },
      memory: () => this.#memory,
      tell: (news) => this.#tell(news),
    })
    this.#tabs = null
    if (!isLive(this.#memory.status)) return
    if (environment.tabs === null) this.#watch.begin()
    else this.#tabs = this.#shareTabs(environment.tabs)
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

  /** The present state, then each that follows; whoever is slow gets the latest only. Ends with the place. */
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
    return this.#acted(await this.#act<Partial<Standing>>('POST', '/queue/claim'))
  }

  async extend(): Promise<PlaceState> {
    const key = this.#parts.environment.newKey()
    return this.#acted({ ...(await this.#act<Partial<Standing>>('POST', '/queue/extend', { key })), extended: true })
  }

  async complete(): Promise<PlaceState> {
    return this.#acted(await this.#act<Partial<Standing>>('POST', '/queue/complete'))
  }

  async leave(): Promise<PlaceState> {
    await this.#act('DELETE', '/queue')
    return this.#acted({ status: 'expired', reason: 'cancelled' })
  }

  handOver(): Promise<{ code: string; expiresAt: string }> {
    return this.#act('POST', '/queue/handover')
  }

  async neighbors(around = 3): Promise<readonly Neighbor[]> {
    return (await this.#act<{ items: Neighbor[] }>('GET', `/queue/neighbors?around=${around}`)).items
  }

  async refresh(): Promise<PlaceState> {
    await this.#watch.poll()
    return this.#state
  }

  async reserve(wish: Wish) {
    const { standing } = this.#memory
    const reservation = await reserve(this.#parts, wish, standing.activeToken ?? '')
    this.#acted({ reservation, expiresAt: reservation.expiresAt })
    this.#watch.askWithin(AFTER_RESERVING_MS)
    return reservation
  }

  async cancel(reservationId: string) {
    const reservation = await cancel(this.#parts, reservationId)
    this.#watch.askWithin(AFTER_RESERVING_MS)
    return reservation
  }

  async pay(reservationId: string, paymentMethod?: string) {
    const answer = await pay(this.#parts, reservationId, paymentMethod)
    this.#watch.askWithin(AFTER_RESERVING_MS)
    return answer
  }

  async settle(operationId: string) {
    const purchase = await settle(this.#parts, operationId)
    this.#watch.askWithin(AFTER_RESERVING_MS)
    return purchase
  }

  close(): void {
    this.#isClosed = true
    this.#watch.end()
    this.#tabs?.close()
    for (const listener of this.#listeners) listener(this.#state)
    this.#listeners.clear()
  }

  #shareTabs(tabs: NonNullable<Environment['tabs']>): SharedTabs<News> {
    const { api, environment } = this.#parts
    return new SharedTabs<News>({
      ...{ tabs, page: environment.page, name: `seatwise:${api.origin}${api.room}:${this.#memory.standing.ticketId}` },
      lead: () => this.#watch.begin(),
      follow: () => this.#watch.end(),
      hear: (news) => this.#hear(news),
    })
  }

  async #act<Body>(method: 'GET' | 'POST' | 'DELETE', path: string, call?: Call): Promise<Body> {
    const { api, environment } = this.#parts
    try {
      const send = async () => (await api.send<Body>(method, api.room + path, call)).body
      return await insist(environment, send, ACT_ATTEMPTS_MAX)
    } catch (error) {
      // Whether the ticket is gone, moved or merely not admitted, the next answer tells.
      if (error instanceof LineError && error.status >= 400 && error.status < 500) this.#watch.askWithin(0)
      throw error
    }
  }

  #acted(change: Partial<Standing>): PlaceState {
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
    this.#memory = hear(this.#memory, news, this.#parts.environment.now())
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

/** A place from an answer that has a ticket token, which is kept where no cookie has it. */
export function openPlace(parts: PlaceParts, answer: JoinAnswer, skewMs: number | null): Place {
  const { ticketToken, accessToken, ...standing } = answer
  parts.kept.write({
    ...(parts.options.proof === 'storage' && { ticketToken }),
    ...(accessToken && { accessToken }),
  })
  return new LivePlace(parts, standing, skewMs)
}
