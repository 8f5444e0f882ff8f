import { createHash } from 'node:crypto'
import { type HeadJson, headProblem, type JwkJson, waitUntil } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSaleReports } from '../../../src/rooms/fairness/sale-reports.ts'
import { forEachMode, type JoinAnswer, type RoomBench } from '../../support/room.ts'

const ROOM = { capacity: 2, ratePerMinute: 60_000, burst: 100, claimSeconds: 0, challenge: 'off', guestsPerAddress: 0 }
/** A sale cannot be set to have ended already: long enough for the request on a busy machine. */
const CLOSING_MS = 1_000

interface Report {
  readonly head: HeadJson
  readonly final: boolean
  readonly signed: { text: string; kid: string; note: string } | null
  readonly [figure: string]: unknown
}

interface Entry {
  readonly at: number
  readonly kind: string
  readonly number: number
  readonly place: number
  readonly numbers?: readonly number[]
  readonly reason?: string
}

/** The same figures from the public log, as plainly as possible. */
function count(entries: readonly Entry[]) {
  const ofKind = (kind: string) => entries.filter((entry) => entry.kind === kind)
  const admitted = ofKind('admitted')
  const joined = (number: number) => ofKind('joined').find((entry) => entry.number === number)
  const waits = admitted.map(({ number, at }) => at - (joined(number)?.at ?? at)).sort((a, b) => a - b)
  let inversions = 0
  for (const [index, one] of admitted.entries())
    for (const other of admitted.slice(index + 1))
      inversions += Number((joined(one.number)?.place ?? 0) > (joined(other.number)?.place ?? 0))
  return {
    joined: ofKind('joined').length,
    admitted: admitted.length,
    inversions,
    completed: ofKind('completed').length,
    left: ofKind('expired').flatMap(({ numbers = [], reason }) => (reason === 'cancelled' ? numbers : [])).length,
    p50: (waits[Math.floor(waits.length / 2)] ?? 0) / 1_000,
  }
}

forEachMode('fairness reports', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  const read = async (sale: string, as?: string) =>
    await bench.call('GET', `${sale}/fairness`, as === undefined ? {} : { as })
  const entriesOf = async (sale: string): Promise<Entry[]> =>
    (await bench.call('GET', `${sale}/queue/audit?limit=1000`))
      .json<{ items: { canonical: string }[] }>()
      .items.map(({ canonical }) => JSON.parse(canonical) as Entry)
  const leaveAll = async (sale: string, tickets: readonly JoinAnswer[]) => {
    for (const { ticketToken } of tickets) await bench.call('DELETE', `${sale}/queue`, { ticket: ticketToken })
  }
  const close = async (sale: string) => {
    const body = { salesEndAt: new Date(Date.now() + CLOSING_MS).toISOString() }
    const answer = await bench.call('PATCH', sale, { as: bench.organizer.authorization, body })
    expect(answer.statusCode).toBe(200)
  }
  const finalOf = (sale: string) =>
    waitUntil('the final report is there', async () => {
      const answer = await read(sale)
      const report = answer.statusCode === 200 ? answer.json<Report>() : null
      return report?.final === true ? report : null
    })

  describe('of a sale', () => {
    it('[J75] is for the organization alone until the sale is over, then for all, signed, and does not change any more', async () => {
      const sale = await bench.sale(ROOM)
      const tickets: JoinAnswer[] = []
      for (let visitor = 0; visitor < 7; visitor += 1) tickets.push(await bench.join(sale))
      expect((await read(sale)).statusCode).toBe(403)
      expect((await read(sale, bench.buyer())).statusCode).toBe(403)
      const early = await waitUntil('the log has a head', async () => {
        const answer = await read(sale, bench.organizer.authorization)
        return answer.statusCode === 200 ? answer : null
      })
      expect(early.json()).toMatchObject({ final: false, signed: null })
      expect(early.headers['cache-control']).toBe('no-store')
      const { statusCode } = await bench.call('POST', `${sale}/queue/complete`, {
        ticket: tickets[0]?.ticketToken ?? '',
      })
      expect(statusCode).toBe(200)
      await leaveAll(sale, tickets.slice(1))
      await close(sale)
      const report = await finalOf(sale)
      const entries = await entriesOf(sale)
      const { p50, ...counted } = count(entries)
      expect(counted).toMatchObject({ joined: 7, completed: 1, inversions: 0 })
      expect(report).toMatchObject({
        ...{ ...counted, kendallTau: 1, capacityOvershoot: 0, rateOvershoot: 0, noShows: 0 },
        ...{ waitFromOpening: null, draw: null, networks: null, refusals: [] },
        wait: { p50 },
      })
      expect(report.head.size).toBe(entries.length)
      expect(await finalOf(sale)).toEqual(report)
      await requireSigned(sale, report)
    })

    it('[J75] that is sold out, or of a draft or an unknown event', async () => {
      const sale = await bench.sale(ROOM, { totalSeats: 1 })
      const { ticketToken } = await bench.join(sale)
      await bench.call('DELETE', `${sale}/queue`, { ticket: ticketToken })
      const [type] = (await bench.call('GET', sale)).json<{ seatTypes: { id: string }[] }>().seatTypes
      const door = { seatTypeId: type?.id, quantity: 1, method: 'complimentary' }
      const as = bench.organizer.authorization
      const headers = { 'idempotency-key': 'last-seat' }
      const sold = await bench.call('POST', `${sale}/sales`, { as, body: door, headers })
      expect(sold.statusCode, sold.body).toBe(201)
      const answer = await waitUntil('it is public', async () => {
        const now = await read(sale)
        return now.statusCode === 200 ? now : null
      })
      expect(answer.json()).toMatchObject({ joined: 1, left: 1, final: false })
      const draft = await bench.sale(ROOM, { state: 'draft' })
      expect((await read(draft)).statusCode).toBe(404)
      expect((await read('/api/events/0199a7a4-5c38-7d6a-9f0e-1b2c3d4e5f60')).statusCode).toBe(404)
      expect((await read('/api/rooms/none')).statusCode).toBe(404)
    })

    it('[J76] [J90] tells of a draw, of waiting since the opening, of networks in merged groups, and of refusals', async () => {
      const opensAt = Date.now() + 3_000
      const preQueueAt = new Date(Date.now() - 60_000).toISOString()
      const sale = await bench.sale(
        { ...ROOM, capacity: 20, preQueueAt, draw: 'commit' },
        { salesStartAt: new Date(opensAt) },
      )
      const { db } = bench.server.ledger
      const tickets: JoinAnswer[] = []
      for (let visitor = 0; visitor < 8; visitor += 1) tickets.push(await bench.join(sale))
      await waitUntil('all were let in', async () => {
        const entries = await entriesOf(sale)
        return entries.filter(({ kind }) => kind === 'admitted').length === 8
      })
      const { roomId } = (await bench.call('GET', sale)).json<{ roomId: string }>()
      // Six networks with one ticket each, and one with two.
      for (let number = 1; number <= 8; number += 1) {
        const address = number === 8 ? '::ffff:198.51.107.9' : `198.51.${100 + number}.${number}`
        await db
          .updateTable('queue_entries')
          .set({ address })
          .where('room_id', '=', roomId)
          .where('number', '=', number)
          .execute()
      }
      const wrong = { as: bench.buyer(), body: { priorityCode: 'wrong' } }
      expect((await bench.call('POST', `${sale}/queue/join`, wrong)).statusCode).toBe(400)
      await waitUntil('the refusal is counted', async () => {
        const refusals = await bench.call('GET', `${sale}/queue/refusals`)
        return refusals.json<{ total: number }>().total === 1
      })
      await leaveAll(sale, tickets)
      await close(sale)
      const report = await finalOf(sale)
      const waits = report.waitFromOpening as { p50: number; p99: number }
      expect(report).toMatchObject({
        ...{ admitted: 8, inversions: 0, kendallTau: 1, draw: { mode: 'commit', count: 8, redraws: 0 } },
        networks: [{ ticketsMin: 1, ticketsMax: 3, networks: 7, tickets: 8, admitted: 8 }],
        refusals: [{ reason: 'wrong_code', count: 1 }],
      })
      expect(waits.p99).toBeLessThan((report.wait as { p50: number }).p50)
    })
  })

  it('[J77] past sales of an organization are listed for all, the newest first and page by page', async () => {
    const organization = await bench.organizationId()
    const list = async (query = '') =>
      (await bench.call('GET', `/api/organizations/${organization}/fairness${query}`)).json<{
        items: { eventId: string; admitted: number; at: string }[]
        nextCursor: string | null
      }>()
    const before = (await list()).items.length
    const sale = await bench.sale(ROOM, { name: 'The last one' })
    const ticket = await bench.join(sale)
    await leaveAll(sale, [ticket])
    await close(sale)
    // No visitor asks for it: a server makes it by itself.
    await waitUntil('the report was made', async () => {
      await createSaleReports(bench.server.services).finishDue()
      return (await list()).items.length === before + 1
    })
    const { items } = await list()
    expect(items[0]).toMatchObject({
      eventId: sale.split('/').at(-1),
      name: 'The last one',
      admitted: 1,
      inversions: 0,
    })
    const first = await list('?limit=1')
    expect(first.items).toEqual(items.slice(0, 1))
    if (before > 0) expect((await list(`?cursor=${first.nextCursor}`)).items).toEqual(items.slice(1))
    expect((await bench.call('GET', '/api/organizations/none/fairness')).statusCode).toBe(404)
    const wrong = await bench.call('GET', `/api/organizations/${organization}/fairness?cursor=x`)
    expect(wrong.statusCode).toBe(400)
  })

  /** The note covers the exact text, under a name that no head has, by a published key. */
  async function requireSigned(sale: string, report: Report): Promise<void> {
    const { text = '', kid = '', note = '' } = report.signed ?? {}
    const { roomId } = (await bench.call('GET', sale)).json<{ roomId: string }>()
    const { final: _, signed: __, ...figures } = report
    expect(JSON.parse(text)).toMatchObject({ room: roomId, ...figures })
    const { keys } = (await bench.call('GET', '/.well-known/jwks.json')).json<{ keys: JwkJson[] }>()
    const root = createHash('sha256').update(text).digest('hex')
    const signed = { size: report.head.size, root, at: report.head.at, kid, checkpoint: note }
    expect(headProblem(signed, keys, `localhost/rooms/${roomId}/fairness`)).toBe(null)
  }
})
