import type { Page, Tabs } from './types.ts'

export interface TabParts<News> {
  readonly tabs: Tabs
  readonly page: Page | null
  /** The same for all tabs of one place, and for no other. */
  readonly name: string
  /** This tab is the one that polls, until `follow`. */
  readonly lead: () => void
  readonly follow: () => void
  readonly hear: (news: News) => void
}

type Said<News> = { readonly news: News } | 'hidden'

/**
 * One poller for all tabs of a place. The lead is a Web Lock: when a tab closes or crashes, the next one has it. A tab
 * that somebody looks at takes it away from one that nobody looks at, because browsers slow down what is hidden.
 */
export class SharedTabs<News> {
  readonly #parts: TabParts<News>
  readonly #channel
  readonly #stopWatching: () => void
  #release: (() => void) | null = null
  #queued = new AbortController()
  #isClosed = false

  constructor(parts: TabParts<News>) {
    const { tabs, page, name, hear } = parts
    this.#parts = parts
    this.#channel = tabs.openChannel(name)
    this.#channel.onmessage = ({ data }) => {
      const said = data as Said<News>
      if (said === 'hidden') this.#takeLeadIfSeen()
      else hear(said.news)
    }
    this.#stopWatching = page?.onChange(() => this.#changed()) ?? (() => {})
    void this.#seek(page?.isHidden() === false)
  }

  tell(news: News): void {
    this.#say({ news })
  }

  close(): void {
    this.#isClosed = true
    this.#stopWatching()
    this.#queued.abort()
    this.#release?.()
    this.#channel.close()
  }

  #say(said: Said<News>): void {
    this.#channel.postMessage(said)
  }

  #changed(): void {
    if (this.#release !== null && this.#parts.page?.isHidden()) this.#say('hidden')
    else this.#takeLeadIfSeen()
  }

  #takeLeadIfSeen(): void {
    if (this.#release !== null || this.#parts.page?.isHidden() !== false) return
    this.#queued.abort()
    void this.#seek(true)
  }

  async #seek(steal: boolean): Promise<void> {
    const { tabs, name, lead, follow } = this.#parts
    this.#queued = new AbortController()
    const { signal } = this.#queued
    try {
      await tabs.locks.request(name, steal ? { steal } : { signal }, () => {
        if (this.#isClosed) return Promise.resolve()
        const held = new Promise<void>((resolve) => {
          this.#release = resolve
        })
        lead()
        return held
      })
    } catch {
      // Stolen by a tab that somebody looks at, or withdrawn to steal it ourselves.
    }
    // Withdrawn: the request that took its place goes on.
    if (signal.aborted || this.#isClosed) return
    this.#release = null
    follow()
    await this.#seek(false)
  }
}
