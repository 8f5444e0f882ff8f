import { readFileSync } from 'node:fs'
import { loadStatement, openLedger, runStatement } from '@seatwise/ledger'
import { waitUntil } from '@seatwise/testbench'
import { openSale } from '../box-office/sale.ts'
import { startStores } from '../stores.ts'

const FILL_CHUNK = 500_000
const REBUILD_MS_MAX = 900_000

/** A server finds Redis empty and loads so many waiting visitors from PostgreSQL: how long, and the most memory it had. */
export async function measureRebuild(visitors: number): Promise<{ seconds: number; peakBytes: number }> {
  await using stack = new AsyncDisposableStack()
  const { postgres, redis, startServer } = await startStores(stack)
  const server = await startServer()
  const { eventId, roomId } = await openSale(server, { maxWaiting: 10_000_000 })
  await waitingIn(server.url, eventId)
  await server.stop()
  const ledger = await openLedger({ kind: 'postgres', url: postgres.url, poolMax: 1 })
  const fill = loadStatement(import.meta.url, 'load-visitors.sql')
  for (let first = 1; first <= visitors; first += FILL_CHUNK)
    await runStatement(ledger.db, fill, [roomId, first, Math.min(visitors, first + FILL_CHUNK - 1)])
  await ledger.close()
  await redis.kill()
  await redis.restart('empty')
  const started = performance.now()
  await server.restart()
  await waitUntil(
    'all visitors are back in line',
    async () => (await waitingIn(server.url, eventId).catch(() => 0)) >= visitors - 1_000,
    { timeoutMs: REBUILD_MS_MAX, everyMs: 250 },
  )
  return { seconds: (performance.now() - started) / 1_000, peakBytes: peakBytes(server.pid) }
}

async function waitingIn(url: string, eventId: string): Promise<number> {
  const answer = await fetch(`${url}/api/events/${eventId}/queue/now`)
  if (!answer.ok) throw new Error(`The room answered ${answer.status}`)
  return ((await answer.json()) as { waiting: number }).waiting
}

/** Linux tells it in kB. */
function peakBytes(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error('The machine does not tell how much memory a process had')
  return Number(kilobytes) * 1_024
}
