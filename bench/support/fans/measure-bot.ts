import { hash } from 'node:crypto'
import type { Server } from '@seatwise/testbench'
import { post } from '../box-office/house.ts'
import { openSale, type Sale } from '../box-office/sale.ts'
import { addressOf, type Challenge, challengeOf, comeInLine } from './fan.ts'
import { type Lines, openLines } from './lines.ts'

export interface BotBill {
  /** Processor time of all its proofs. */
  readonly seconds: number
  readonly tickets: number
  readonly tookMs: number
  readonly hashesPerSecond: number
  /** Of one proof at the usual difficulty, on average. */
  readonly usualSeconds: number
  /** Honest visitors who came meanwhile, and the most proofs that one of them was asked for. */
  readonly visitors: number
  readonly proofsMax: number
  readonly visitorSeconds: number
}

const BOT = '203.0.113.7'
/** An honest visitor comes after so many joins of the bot. */
const VISITOR_EACH = 10
const USUAL_PROOFS = 40

/** A script joins again and again from one address as ever new guests; visitors of other addresses come meanwhile. */
export async function measureBot(server: Server, joins: number): Promise<BotBill> {
  await using lines = await openLines(server.url, 1)
  const usual = await measureUsual(lines, await openSale(server, { challenge: 'always', guestsPerAddress: 0 }))
  // Without the limit for each address, which would stop the script: what the proof alone costs it.
  const sale = await openSale(server, { guestsPerAddress: 0 })
  const [bot, visitor] = [createSolver(), createSolver()]
  const startedAt = performance.now()
  let [tickets, visitors, proofsMax] = [0, 0, 0]
  for (let join = 0; join < joins; join += 1) {
    if (await joinAsBot(lines, sale, bot)) tickets += 1
    if (join % VISITOR_EACH !== 0) continue
    visitors += 1
    const { proofs } = await comeInLine(lines, sale, addressOf(visitors), visitor.solve)
    proofsMax = Math.max(proofsMax, proofs)
  }
  return {
    ...{ seconds: bot.seconds(), tickets, tookMs: performance.now() - startedAt, hashesPerSecond: bot.rate() },
    ...{ usualSeconds: usual, visitors, proofsMax, visitorSeconds: visitor.seconds() / visitors },
  }
}

/** How many tickets the same script gets in a room with the default settings. */
export async function countTicketsOfBot(server: Server, joins: number): Promise<number> {
  await using lines = await openLines(server.url, 1)
  const sale = await openSale(server)
  const bot = createSolver()
  let tickets = 0
  for (let join = 0; join < joins && (await joinAsBot(lines, sale, bot)); join += 1) tickets += 1
  return tickets
}

async function joinAsBot(lines: Lines, { eventId }: Sale, { solve }: Solver): Promise<boolean> {
  const path = `/api/events/${eventId}/queue/join`
  const headers = { 'x-forwarded-for': BOT }
  const first = await lines.ask(post(lines.url, path, headers))
  const isAsked = first.status === 403
  const last = isAsked ? await lines.ask(post(lines.url, path, headers, { proof: solve(challengeOf(first)) })) : first
  if (last.status !== 200 && last.status !== 409) throw new Error(`Joining was answered ${last.status}: ${last.body}`)
  return last.status === 200
}

async function measureUsual(lines: Lines, sale: Sale): Promise<number> {
  const solver = createSolver()
  for (let proof = 0; proof < USUAL_PROOFS; proof += 1) {
    await comeInLine(lines, sale, addressOf(100_000 + proof), solver.solve)
  }
  return solver.seconds() / USUAL_PROOFS
}

interface Solver {
  solve(challenge: Challenge): string
  /** Processor time so far. */
  seconds(): number
  rate(): number
}

/** Nothing else runs meanwhile, so that the process's own time is the proof's. */
function createSolver(): Solver {
  let [microseconds, hashes] = [0, 0]
  return {
    solve({ algorithm, challenge, salt, signature, maxnumber }) {
      const before = process.cpuUsage()
      let number = 0
      while (number <= maxnumber && hash('sha256', `${salt}${number}`) !== challenge) number += 1
      const { user, system } = process.cpuUsage(before)
      microseconds += user + system
      hashes += number + 1
      return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
    },
    seconds: () => microseconds / 1e6,
    rate: () => hashes / (microseconds / 1e6),
  }
}
