import { createChallenges } from '@seatwise/server'
import type { Server } from '@seatwise/testbench'
import { openSale, SECRET } from '../box-office/sale.ts'
import { coresBetween, cpuSeconds } from '../cpu-time.ts'
import { percentile } from '../statistics.ts'
import { addressOf, comeInLine } from './fan.ts'
import { openLines } from './lines.ts'

export interface FansInLine {
  readonly lastMs: number
  readonly medianMs: number
  readonly inLine: number
  readonly proofsShare: number
  readonly askedAgainShare: number
  readonly cores: string
}

/** Less than a process may have open; a proxy that shares them would have fewer. */
const CONNECTIONS = 1_000

/**
 * All fans come at the same moment, each from an address of their own. Their devices solve their proofs, not this machine:
 * the driver knows the server's secret, and draws for each a challenge that is solved at once. The server does all it does.
 */
export async function measureFans(server: Server, fans: number, pids: Record<string, number>): Promise<FansInLine> {
  const sale = await openSale(server)
  const room = { id: sale.roomId, epoch: await epochOf(server, sale.eventId) }
  const challenges = createChallenges([SECRET], Date.now)
  const solve = (): string => {
    const { algorithm, challenge, salt, signature } = challenges.draw(room, 0)
    return btoa(JSON.stringify({ algorithm, challenge, number: 0, salt, signature }))
  }
  await using lines = await openLines(server.url, CONNECTIONS)
  const [before, startedAt] = [cpuSeconds(pids), performance.now()]
  const visits = await Promise.all(
    Array.from({ length: fans }, async (_, fan) => {
      const visit = await comeInLine(lines, sale, addressOf(fan + 1), solve)
      return { ...visit, tookMs: performance.now() - startedAt }
    }),
  )
  const times = visits.map(({ tookMs }) => tookMs)
  const lastMs = Math.max(...times)
  const share = (wanted: (visit: (typeof visits)[number]) => boolean): number => visits.filter(wanted).length / fans
  return {
    ...{ lastMs, medianMs: percentile(times, 0.5), inLine: await countTickets(server, sale.eventId) },
    proofsShare: share(({ proofs }) => proofs > 0),
    askedAgainShare: share(({ askedAgain }) => askedAgain > 0),
    cores: coresBetween(before, cpuSeconds(pids), lastMs / 1_000),
  }
}

async function epochOf({ url }: Server, eventId: string): Promise<number> {
  const answer = await fetch(`${url}/api/events/${eventId}/queue/now`)
  return ((await answer.json()) as { epoch: number }).epoch
}

/** What the server says that it gave out. */
async function countTickets(server: Server, eventId: string): Promise<number> {
  const headers = { authorization: `Bearer ${await server.adminToken()}` }
  const answer = await fetch(`${server.url}/api/events/${eventId}/queue/stats`, { headers })
  const { waiting, away, admitted, active, completed, expired } = (await answer.json()) as Record<string, number>
  return [waiting, away, admitted, active, completed, expired].reduce<number>((sum, one) => sum + (one ?? 0), 0)
}
