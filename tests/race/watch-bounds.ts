import { setTimeout as delay } from 'node:timers/promises'
import type { Sale } from '../sale-under-test/start-sale.ts'

/** What servers tell about themselves, and how far it may go. */
const BOUNDS = { seatwise_log_unfollowed_entries: 1_000_000 } as const
const EVERY_MS = 500

/** Writes down how full the servers are, until it is ended. */
export function watchBounds({ servers, http, history }: Sale): { end(): Promise<void> } {
  let isOver = false
  const watch = async (): Promise<void> => {
    while (!isOver) {
      for (const [index, { url }] of servers.entries()) {
        const metrics = await http.read(`${url}/metrics`)
        for (const [name, bound] of Object.entries(BOUNDS)) {
          const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]
          if (value !== undefined) history.gauge(`server-${index}`, name, Number(value), bound)
        }
      }
      await delay(EVERY_MS)
    }
  }
  const watching = watch()
  return {
    async end() {
      isOver = true
      await watching
    },
  }
}
