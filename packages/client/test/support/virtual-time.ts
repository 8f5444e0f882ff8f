import type { Environment, Page } from '../../src/types.ts'

interface Timer {
  readonly at: number
  readonly run: () => void
}

/**
 * A clock that only tests move, and what happens on it: requests go to a real server, in no time of this clock. `lose`
 * decides what becomes of a request: it may never arrive, or arrive and its answer get lost.
 */
export class VirtualTime {
  now = Date.now()
  readonly requests: { at: number; method: string; path: string }[] = []
  /** Called before each request; may throw, or return that the answer is to be lost. */
  lose: (path: string, method: string) => 'answer' | undefined = () => undefined
  #timers = new Map<number, Timer>()
  #lastTimer = 0
  readonly #underWay = new Set<Promise<unknown>>()

  environment(more: Partial<Environment> = {}): Partial<Environment> {
    return {
      now: () => this.now,
      random: () => 0.5,
      setTimer: (run, ms) => {
        this.#lastTimer += 1
        this.#timers.set(this.#lastTimer, { at: this.now + ms, run })
        return this.#lastTimer
      },
      clearTimer: (timer) => void this.#timers.delete(timer as number),
      fetch: (url, request) => this.#fetch(String(url), request ?? {}),
      openSocket: () => {
        throw new Error('No socket in this test')
      },
      page: null,
      tabs: null,
      ...more,
    }
  }

  get timers(): number {
    return this.#timers.size
  }

  /** Lets so much time pass: runs every timer at its moment, and waits for the answers to what it asked. */
  async advance(ms: number): Promise<void> {
    const until = this.now + ms
    for (;;) {
      await this.settle()
      const next = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0]
      if (next === undefined) break
      const [id, { at, run }] = next
      this.#timers.delete(id)
      this.now = Math.max(this.now, at)
      run()
    }
    this.now = until
  }

  /** The clock jumps, as after a sleep: what was due meanwhile runs late. */
  async sleep(ms: number): Promise<void> {
    this.now += ms
    await this.advance(0)
  }

  /** Until nothing is under way any more. */
  async settle(): Promise<void> {
    do {
      await Promise.allSettled(this.#underWay)
      // What hangs on the answers runs in the turns after them.
      await new Promise((resolve) => setImmediate(resolve))
    } while (this.#underWay.size > 0)
  }

  asked(path: RegExp): number[] {
    return this.requests.filter((request) => path.test(request.path)).map(({ at }) => at)
  }

  async #fetch(url: string, request: RequestInit): Promise<Response> {
    const path = new URL(url).pathname
    const method = request.method ?? 'GET'
    this.requests.push({ at: this.now, method, path })
    const fate = this.lose(path, method)
    // The agent of this process keeps connections open, which the test would be blamed for.
    const headers = [...new Headers(request.headers), ['connection', 'close'] as [string, string]]
    const answer = fetch(url, { ...request, headers }).then(async (found) => {
      // Read here, so that nothing is under way any more when it is handed on.
      const body = found.status === 204 ? null : await found.text()
      if (fate === 'answer') throw new TypeError('The answer was lost')
      return new Response(body, { status: found.status, headers: found.headers })
    })
    this.#underWay.add(answer)
    answer.then(
      () => this.#underWay.delete(answer),
      () => this.#underWay.delete(answer),
    )
    return await answer
  }
}

/** A page with visibility and network decided by the test. */
export class TestPage implements Page {
  #isHidden = false
  #isOnline = true
  readonly #listeners = new Set<() => void>()

  isHidden(): boolean {
    return this.#isHidden
  }

  isOnline(): boolean {
    return this.#isOnline
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  hide(isHidden: boolean): void {
    this.#isHidden = isHidden
    for (const listener of this.#listeners) listener()
  }

  goOnline(isOnline: boolean): void {
    this.#isOnline = isOnline
    for (const listener of this.#listeners) listener()
  }
}
