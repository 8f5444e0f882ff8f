/**
 * Runs a read again whenever a caller asks, one at a time. A caller that waits gets a read that began after the call: a running
 * one may have begun before the caller's own write. Callers that wait together share the next one.
 */
export function createRefresher(read: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null
  let next: Promise<void> | null = null

  function start(): Promise<void> {
    underWay = read().finally(() => {
      underWay = null
    })
    return underWay
  }

  return () => {
    if (underWay === null) return start()
    next ??= underWay
      .catch(() => undefined)
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}
