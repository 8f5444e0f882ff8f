import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sale } from '../sale-under-test/start-sale.ts'

const EVERY_MS = 500

/** Writes down how full the servers say they are, beside what docs/bounds.md allows, until it is ended. */
export function watchBounds({ servers, http, history }: Sale): { end(): Promise<void> } {
  const bounds = readBounds()
  let isOver = false
  const watch = async (): Promise<void> => {
    while (!isOver) {
      for (const [index, { url }] of servers.entries()) {
        for (const [name, value] of readGauges(await http.read(`${url}/metrics`))) {
          const bound = bounds.get(name)
          if (bound !== undefined) history.gauge(`server-${index}`, name, value, bound)
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

/** What the page allows, by metric. Where several rows share one, the first is the thing that it counts. */
function readBounds(): Map<string, number> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/bounds.md'), 'utf8')
  const bounds = new Map<string, number>()
  for (const line of page.split('\n')) {
    const [, , bound = '', , metric = ''] = line.split('|')
    const name = /^ `([\w]+)` $/.exec(metric)?.[1]
    const most = /\d[\d,]*/.exec(bound.replaceAll(/`[^`]*`/g, ''))?.[0]
    if (name === undefined || most === undefined || bounds.has(name)) continue
    bounds.set(name, Number(most.replaceAll(',', '')))
  }
  if (bounds.size === 0) throw new Error('docs/bounds.md has no bound with a number and a metric')
  return bounds
}

/** The items in each buffer, and how far the ledger is behind. */
function readGauges(metrics: string): [name: string, value: number][] {
  const buffers = metrics.matchAll(/^seatwise_buffered_items\{buffer="(\w+)"\} (\S+)$/gm)
  const behind = metrics.matchAll(/^(seatwise_log_unfollowed_entries) (\S+)$/gm)
  return [...buffers, ...behind].map(([, name = '', value = '']) => [name, Number(value)])
}
