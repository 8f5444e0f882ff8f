import type { PlaceOptions } from '@seatwise/client'

/** What `entries/through-ably.ts` offers. */
interface ThroughAbly {
  readonly listen: NonNullable<PlaceOptions['listen']>
}

/** How a place of this page listens. Ably's script is a file of its own, which the page names where the server uses Ably. */
export function listening(): Pick<PlaceOptions, 'listen'> {
  const { ably } = document.documentElement.dataset
  if (ably === undefined) return {}
  return {
    listen(parts) {
      let close = (): void => {}
      let isClosed = false
      const begin = async (): Promise<void> => {
        const { listen } = (await import(/* @vite-ignore */ ably)) as ThroughAbly
        if (!isClosed) close = listen(parts)
      }
      // The file did not come: polling goes on, and it is asked for again.
      begin().catch(() => isClosed || parts.gone(0))
      return () => {
        isClosed = true
        close()
      }
    },
  }
}
