import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { enter, type House, post, read, reserve } from '../support/box-office/house.ts'
import { type Conversation, converseAll } from '../support/http/converse.ts'
import { percentile } from '../support/statistics.ts'

/*
 * node bench/core/visit-driver.ts JOB
 *
 * A process of its own that sends visitors through the whole sale: join, enter, reserve, pay. Each connection serves one
 * visitor after the other; the job's file brings their access tokens. Prints how many had paid in a second, as JSON.
 */

export interface VisitJob {
  readonly house: House
  readonly connections: number
  /** Visits that end in the first of these seconds do not count: at first all visitors do the same thing at once. */
  readonly leadSeconds: number
  readonly seconds: number
  readonly accessTokens: readonly string[]
}

export interface Visited {
  /** All that were made, those that do not count for the rate included. */
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const [file = ''] = process.argv.slice(2)
console.log(JSON.stringify(await drive(JSON.parse(await readFile(file, 'utf8')) as VisitJob)))

async function drive({ house, connections, leadSeconds, seconds, accessTokens }: VisitJob): Promise<Visited> {
  const countsFrom = performance.now() + leadSeconds * 1_000
  const end = countsFrom + seconds * 1_000
  const counted: number[] = []
  let arrived = 0
  let answers = 0
  const next = () => (performance.now() < end ? arrived++ : null)
  await converseAll(new URL(house.url), connections, next, async (conversation, index) => {
    const [accessToken, seatId] = [accessTokens[index], house.seatIds[index]]
    if (accessToken === undefined || seatId === undefined) throw new Error('There are too few visitors or seats')
    const startedAt = performance.now()
    await visit(house, conversation, accessToken, seatId)
    const endedAt = performance.now()
    answers += 1
    if (endedAt >= countsFrom && endedAt < end) counted.push(endedAt - startedAt)
  })
  return {
    answers,
    perSecond: counted.length / seconds,
    p50Ms: percentile(counted, 0.5),
    p99Ms: percentile(counted, 0.99),
  }
}

async function visit(house: House, conversation: Conversation, accessToken: string, seatId: string): Promise<void> {
  const guest = await enter(house, conversation, accessToken)
  const { id: reservationId } = read<{ id: string }>(await conversation.ask(reserve(house, guest, seatId)), 201)
  const headers = { authorization: `Bearer ${accessToken}`, 'idempotency-key': randomUUID() }
  const payment = post(house.url, '/api/purchases', headers, { reservationId, paymentMethod: 'sandbox_ok' })
  const { status } = read<{ status: string }>(await conversation.ask(payment), 201)
  if (status !== 'PAID') throw new Error(`Paying ended as ${status}`)
}
