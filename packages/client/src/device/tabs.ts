import type { Page, Tabs } from '../types.ts'

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

export interface SharedTabs<News> {
  /** To all the other tabs. */
  tell(news: News): void
  close(): void
}

type Said<News> = { readonly news: News } | 'hidden'

/**
 * One poller for all tabs of a place. The lead is a Web Lock: when a tab closes or crashes, the next one has it. A tab
 * that is visible takes it from one that is hidden, because browsers slow down hidden tabs.
 */
export function shareTabs<News>({ tabs, page, name, lead, follow, hear }: TabParts<News>): SharedTabs<News> {
  const channel = tabs.openChannel(name)
  let release: (() => void) | null = null
  let waiting = new AbortController()
  let isClosed = false

  const seek = async (steal: boolean): Promise<void> => {
    waiting = new AbortController()
    const { signal } = waiting
    try {
      await tabs.locks.request(name, steal ? { steal } : { signal }, () => {
        if (isClosed) return Promise.resolve()
        const held = new Promise<void>((resolve) => {
          release = resolve
        })
        lead()
        return held
      })
    } catch {
      // Stolen by a visible tab, or withdrawn to steal it ourselves.
    }
    // Withdrawn: the request that took its place goes on.
    if (signal.aborted || isClosed) return
    release = null
    follow()
    await seek(false)
  }
  const say = (said: Said<News>) => channel.postMessage(said)
  const isSeen = () => page?.isHidden() === false
  const takeLead = () => {
    if (release !== null || !isSeen()) return
    waiting.abort()
    void seek(true)
  }
  channel.onmessage = ({ data }) => {
    const said = data as Said<News>
    if (said === 'hidden') takeLead()
    else hear(said.news)
  }
  const stopWatching = page?.onChange(() => (release !== null && !isSeen() ? say('hidden') : takeLead()))
  void seek(isSeen())
  return {
    tell: (news) => say({ news }),
    close() {
      isClosed = true
      stopWatching?.()
      waiting.abort()
      release?.()
      channel.close()
    },
  }
}
