import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadStatement, openLedger, runStatement } from '@seatwise/ledger'
import { removeFolder, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { openSale } from '../box-office/sale.ts'

/** The whole embedded server, ledger included, after it took so many waiting visitors from its ledger into its line. */
export async function measureFullHouse(visitors: number): Promise<{ residentBytes: number; readyMs: number }> {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  try {
    const server = await startServer({ mode: 'embedded', dataDir })
    try {
      const { eventId, roomId } = await openSale(server)
      await waitingIn(server.url, eventId)
      await server.stop()
      await fill(dataDir, roomId, visitors)
      const start = performance.now()
      await server.restart()
      await waitUntil('everybody is back', async () => (await waitingIn(server.url, eventId)) >= visitors - 1_000, {
        timeoutMs: 120_000,
        everyMs: 100,
      })
      return { residentBytes: residentBytes(server.pid), readyMs: performance.now() - start }
    } finally {
      await server.discard()
    }
  } finally {
    await removeFolder(folder)
  }
}

async function fill(dataDir: string, roomId: string, visitors: number): Promise<void> {
  const ledger = await openLedger({ kind: 'pglite', dataDir })
  try {
    await runStatement(ledger.db, loadStatement(import.meta.url, 'load-visitors.sql'), [roomId, 1, visitors])
  } finally {
    await ledger.close()
  }
}

async function waitingIn(url: string, eventId: string): Promise<number> {
  const answer = await fetch(`${url}/api/events/${eventId}/queue/now`)
  if (!answer.ok) throw new Error(`The room answered ${answer.status}`)
  return ((await answer.json()) as { waiting: number }).waiting
}

/** Linux tells it in kB. */
function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error('The machine does not tell how much memory a process has')
  return Number(kilobytes) * 1_024
}
