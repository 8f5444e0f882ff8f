import { createHash, randomBytes } from 'node:crypto'
import { type PublicItem, verifyDraw, waitUntil } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { forEachMode, type JoinAnswer, type RoomBench } from '../../support/room.ts'

const past = () => new Date(Date.now() - 60_000).toISOString()
const startIn = (ms: number) => ({ salesStartAt: new Date(Date.now() + ms).toISOString() })

interface Told {
  readonly mode: string
  readonly state: string
  readonly commitment: string
  readonly sealed: { count: number; size: number; root: string } | null
  readonly secret: string | null
  readonly seed: string | null
}

async function readDrawOf(bench: RoomBench, sale: string): Promise<Told> {
  return (await bench.call('GET', `${sale}/queue/draw`)).json<Told>()
}

async function untilRevealed(bench: RoomBench, sale: string): Promise<Told> {
  return await waitUntil('the draw is revealed', async () => {
    const draw = await readDrawOf(bench, sale)
    return draw.state === 'revealed' ? draw : null
  })
}

async function untilOpen(bench: RoomBench, sale: string): Promise<void> {
  await waitUntil('the line is open', async () => {
    const now = await bench.call('GET', `${sale}/queue/now`)
    return now.json<{ phase: string }>().phase === 'open'
  })
}

/** The whole public log. */
async function auditOf(bench: RoomBench, sale: string): Promise<PublicItem[]> {
  const items: PublicItem[] = []
  for (let after: string | null = '0'; after !== null; ) {
    const page = await bench.call('GET', `${sale}/queue/audit?after=${after}`)
    const body: { items: PublicItem[]; nextAfter: string | null } = page.json()
    items.push(...body.items)
    after = body.nextAfter
  }
  return items
}

async function roomIdOf(bench: RoomBench, sale: string): Promise<string> {
  return (await bench.call('GET', sale)).json<{ roomId: string }>().roomId
}

async function move(bench: RoomBench, sale: string, ms: number) {
  return await bench.call('PATCH', sale, { as: bench.organizer.authorization, body: startIn(ms) })
}

forEachMode('a fair start', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  const sale = (room: object, inMs = 600_000) =>
    bench.sale({ preQueueAt: past(), challenge: 'off', ...room }, startIn(inMs))

  describe('the pre-queue', () => {
    it('[J1] a visitor who comes early waits without a position, and is told when the line opens', async () => {
      const room = await sale({ draw: 'commit' })
      const ada = await bench.join(room)
      const pre = { status: 'waiting', phase: 'pre', rank: null, position: null, place: null, number: 1 }
      expect(ada).toMatchObject({ ...pre, queueLength: 1, eta: { p50: null, reason: 'not_open' } })
      expect(Date.parse(String(ada.opensAt))).toBeGreaterThan(Date.now())
      expect(await bench.status(room, ada.ticketToken)).toMatchObject(pre)
      const now = (await bench.call('GET', `${room}/queue/now`)).json()
      expect(now).toMatchObject({ phase: 'pre', rankMap: [] })
      expect((await bench.call('POST', `${room}/queue/claim`, { ticket: ada.ticketToken })).statusCode).toBe(403)
      const neighbors = await bench.call('GET', `${room}/queue/neighbors`, { ticket: ada.ticketToken })
      expect(neighbors.json()).toEqual({ items: [] })
    })

    it('[J1] joining before the pre-queue is refused, and without a draw visitors stand in the order they came', async () => {
      const closed = await bench.sale({ preQueueAt: new Date(Date.now() + 300_000).toISOString() }, startIn(600_000))
      const refused = await bench.call('POST', `${closed}/queue/join`, { as: bench.buyer(), body: {} })
      expect(refused.json()).toMatchObject({ statusCode: 400, code: 'SALES_NOT_STARTED' })
      const room = await sale({ capacity: 1, ratePerMinute: 1, burst: 1 })
      const tickets = [await bench.join(room), await bench.join(room), await bench.join(room)]
      expect(await bench.call('GET', `${room}/queue/draw`).then((answer) => answer.json())).toEqual({
        mode: 'none',
        state: null,
      })
      expect((await move(bench, room, 500)).statusCode).toBe(200)
      await untilOpen(bench, room)
      const places = await Promise.all(tickets.map(({ ticketToken }) => bench.status(room, ticketToken)))
      expect(places.map(({ place }) => place)).toEqual([1, 2, 3])
    })

    it('[J2] pre-queue and draw change until the first ticket, and the start until it has passed', async () => {
      const room = await sale({ draw: 'commit' })
      expect((await bench.operate(room, { draw: 'none' })).statusCode).toBe(200)
      expect((await bench.operate(room, { draw: 'commit', preQueueAt: past() })).statusCode).toBe(200)
      await bench.join(room)
      const locked = { statusCode: 409, code: 'LINE_STARTED' }
      expect((await bench.operate(room, { draw: 'none' })).json()).toMatchObject(locked)
      expect((await bench.operate(room, { preQueueAt: null })).json()).toMatchObject(locked)
      expect((await bench.operate(room, { capacity: 7 })).statusCode).toBe(200)
      expect((await bench.call('GET', room)).json()).toMatchObject({ room: { draw: 'commit', capacity: 7 } })
      expect((await move(bench, room, 900_000)).statusCode).toBe(200)
      // Refused by the ledger, after the line has moved: it moves back.
      const wrong = { ...startIn(300), salesEndAt: past() }
      const refused = await bench.call('PATCH', room, { as: bench.organizer.authorization, body: wrong })
      expect(refused.statusCode).toBe(400)
      const now = (await bench.call('GET', `${room}/queue/now`)).json<{ phase: string }>()
      expect(now.phase).toBe('pre')
      await waitUntil('the line has the old start again', async () => {
        const { opensAt } = (await bench.call('GET', `${room}/queue/now`)).json<{ opensAt: string }>()
        return Date.parse(opensAt) > Date.now() + 800_000
      })
      expect((await move(bench, room, 500)).statusCode).toBe(200)
      await untilRevealed(bench, room)
      expect((await move(bench, room, 900_000)).json()).toMatchObject(locked)
    })

    it('[J2] what does not fit together is refused', async () => {
      const room = await sale({})
      const late = new Date(Date.now() + 700_000).toISOString()
      expect((await bench.operate(room, { preQueueAt: late })).statusCode).toBe(400)
      const drawn = await sale({ draw: 'commit' })
      const presale = { as: bench.organizer.authorization, body: { presaleStartAt: past(), ...startIn(600_000) } }
      expect((await bench.call('PATCH', drawn, presale)).statusCode).toBe(400)
      const coded = await bench.call('POST', `${drawn}/queue/join`, { as: bench.buyer(), body: { code: 'SPRING' } })
      expect(coded.statusCode).toBe(400)
    })
  })

  describe('the draw', () => {
    it('[J4] the commitment is in the log before the first ticket, and the secret nowhere before the seal', async () => {
      const room = await sale({ draw: 'commit' })
      await bench.join(room)
      const draw = await waitUntil('the ledger has the announcement', async () => {
        const told = await readDrawOf(bench, room)
        return told.state === 'announced' ? told : null
      })
      expect(draw).toMatchObject({ mode: 'commit', sealed: null, secret: null, seed: null })
      const kinds = (await auditOf(bench, room)).map(({ canonical }) => JSON.parse(canonical).kind)
      expect(kinds.slice(0, 2)).toEqual(['opened', 'draw'])
    })

    it('[J5] [J6] [J8] those who wait or are away at the start are drawn, as anybody can compute from the log', async () => {
      const room = await sale({ draw: 'commit', capacity: 3, burst: 3, ratePerMinute: 1 })
      const visitors: JoinAnswer[] = []
      const promoted = bench.buyer()
      for (let index = 0; index < 40; index++)
        visitors.push(await bench.join(room, index === 9 ? promoted : bench.buyer()))
      // A class that comes with a code while waiting counts in the draw.
      const wish = { class: 2, count: 1, expiresAt: new Date(Date.now() + 600_000).toISOString() }
      const made = await bench.call('POST', `${room}/priority-codes`, {
        as: bench.organizer.authorization,
        body: wish,
      })
      await bench.join(room, promoted, { priorityCode: made.json<{ codes: string[] }>().codes[0] })
      const gone = visitors[7]
      await bench.call('DELETE', `${room}/queue`, { ticket: gone?.ticketToken ?? '' })
      expect((await move(bench, room, 500)).statusCode).toBe(200)
      const draw = await untilRevealed(bench, room)
      const late = await bench.join(room)
      await untilOpen(bench, room)

      const verified = verifyDraw(await roomIdOf(bench, room), await auditOf(bench, room))
      expect(verified.problems).toEqual([])
      expect(verified.order).toHaveLength(39)
      expect(verified.order[0]).toBe(visitors[9]?.number)
      expect(draw.sealed).toEqual({ count: 39, size: verified.size, root: verified.root })
      expect(
        createHash('sha256')
          .update(Buffer.from(draw.secret ?? '', 'hex'))
          .digest('hex'),
      ).toBe(draw.commitment)
      const told = await Promise.all(visitors.map(({ ticketToken }) => bench.status(room, ticketToken)))
      const waiting = told.filter(({ status }) => status === 'waiting')
      expect(waiting.length).toBeGreaterThan(30)
      for (const { place, number } of waiting) expect(place).toBe(verified.order.indexOf(Number(number)) + 1)
      const inside = told
        .filter(({ status }) => status === 'admitted' || status === 'active')
        .map(({ number }) => number)
      expect(inside.every((number) => verified.order.indexOf(Number(number)) < 4)).toBe(true)
      expect(Number((await bench.status(room, late.ticketToken)).place)).toBeGreaterThan(39)
    })

    it('[J6] an empty line opens, too', async () => {
      const room = await sale({ draw: 'commit' }, 300)
      expect((await untilRevealed(bench, room)).sealed).toMatchObject({ count: 0 })
      await untilOpen(bench, room)
      const ada = await bench.join(room)
      expect(ada.place).toBe(1)
    })
  })
})

it('[J6 control] the verifier sees a swapped pair and a wrong secret', () => {
  const secret = randomBytes(32)
  const commitment = createHash('sha256').update(secret).digest('hex')
  const before = [
    { kind: 'draw', mode: 'commit', commitment },
    ...[1, 2, 3].map((number) => ({ kind: 'joined', number, class: 0 })),
  ]
  const items = (entries: readonly object[]) => entries.map((entry) => ({ canonical: JSON.stringify(entry) }))
  const end = [
    { kind: 'sealed', count: 3 },
    { kind: 'revealed', secret: secret.toString('hex') },
  ]
  const { order } = verifyDraw('room', items([...before, ...end]))
  const admitted = (numbers: readonly number[]) => numbers.map((number) => ({ kind: 'admitted', number, class: 0 }))
  expect(verifyDraw('room', items([...before, ...end, ...admitted(order)])).problems).toEqual([])
  const swapped = [order[1] ?? 0, order[0] ?? 0, order[2] ?? 0]
  expect(verifyDraw('room', items([...before, ...end, ...admitted(swapped)])).problems).toHaveLength(1)
  const other = { kind: 'revealed', secret: randomBytes(32).toString('hex') }
  expect(verifyDraw('room', items([...before, end[0] ?? {}, other])).problems).toEqual(['the secret does not match'])
})
