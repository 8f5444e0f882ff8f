const LATER_MS = 2_000

/**
 * Loads the page's letters after everything else: the waiting page must be small when millions open it at once, and its
 * visitors stay. Who comes from another page of this site has the letters in the cache already.
 */
export function loadLetters(): void {
  const { letters } = document.documentElement.dataset
  if (letters === undefined) return
  const isKnown = document.referrer.startsWith(`${location.origin}/`)
  setTimeout(
    () => {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: letters })
      document.head.append(link)
    },
    isKnown ? 0 : LATER_MS,
  )
}
