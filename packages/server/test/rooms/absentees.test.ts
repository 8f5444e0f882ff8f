import { randomBytes } from 'node:crypto'
import { rankMapError } from '@seatwise/domain'
import { seededRandom, waitUntil } from '@seatwise/testbench'
import { afterEach, expect, it } from 'vitest'
import { forEachMode, type JoinAnswer, openRoomServer, RoomBench, type RoomServer } from '../support/room.ts'

const TIMEOUT_SECONDS = 4
/** How much later a visitor who vanished must be in no count. */
const LATE_SECONDS_MAX = 5
const VISITORS = 20_000
const VANISHING = 0.3
const TOKENS = 3_000
const TOGETHER = 500
const SETTINGS = {
  ...{ heartbeatTimeoutSeconds: TIMEOUT_SECONDS, capacity: 2 * TOKENS, burst: TOKENS, ratePerMinute: 1_000_000 },
  ...{ claimSeconds: 600, stockAware: false, paused: true },
}

forEachMode('visitors who vanish', (open) => {
  const others: RoomServer[] = []
  afterEach(async () => {
    for (const server of others.splice(0)) await server.close()
  })

  /** All servers of this mode: embedded there is one, on Redis three. */
  async function openServers(): Promise<RoomBench[]> {
    const first = await open()
    const { ledger, secrets } = first.server
    for (let more = ledger.kind === 'pglite' ? 0 : 2; more > 0; more -= 1)
      others.push(await openRoomServer(ledger, { secrets }))
    return [first, ...others.map((server) => new RoomBench(server, first.organizer, first.admin))]
  }

  it('[L60] [I38] 30 % of 20,000 vanish: the last one’s position is right in time on every server, and no slot or token is lost', async () => {
    const benches = await openServers()
    const [bench] = benches as [RoomBench]
    const room = await bench.sale(SETTINGS)
    const at = await placeOf(bench, room)
    const { line } = bench.server
    const numbers: number[] = []
    while (numbers.length < VISITORS - 1) {
      const size = Math.min(TOGETHER, VISITORS - 1 - numbers.length)
      const replies = await line.join(at, Array.from({ length: size }, newVisitor))
      numbers.push(...replies.flatMap((reply) => ('number' in reply ? [reply.number] : [])))
    }
    expect(numbers).toHaveLength(VISITORS - 1)
    const last = await bench.join(room)
    const random = seededRandom(20_261_118)
    const vanished = new Set(numbers.filter(() => random() < VANISHING))
    const staying = numbers.filter((number) => !vanished.has(number))

    const vanishedAt = performance.now()
    const told: JoinAnswer[] = []
    await waitUntil(
      'the last one’s position is right on every server',
      async () => {
        await line.heartbeat(at, staying)
        told.splice(0)
        for (const each of benches) told.push(await each.status(room, last.ticketToken))
        return told.every(({ queueLength }) => queueLength === staying.length + 1)
      },
      { timeoutMs: 60_000 },
    )
    expect((performance.now() - vanishedAt) / 1_000).toBeLessThan(TIMEOUT_SECONDS + LATE_SECONDS_MAX)
    for (const { rank, exact } of told)
      expect(Math.abs(rank - staying.length)).toBeLessThanOrEqual(exact === true ? 0 : rankMapError(staying.length))
    const claims = bench.server.services.roomTokens.tickets.read(last.ticketToken)
    if (claims === null) throw new Error('The ticket token cannot be read')
    const { identity, generation, number } = claims
    const [view] = await line.look(at, [{ number, identity, generation, heartbeat: true }])
    expect(view).toMatchObject({ rank: staying.length, waiting: staying.length + 1 })
    await waitUntil('the statistics tell how many are away', async () => {
      const stats = await bench.call('GET', `${room}/queue/stats`, { as: bench.organizer.authorization })
      const { waiting, away } = stats.json<{ waiting: number; away: number }>()
      return waiting === staying.length + 1 && away === vanished.size
    })

    // The bucket is full, and gets no more tokens: every one of them lets in a visitor who is there.
    await bench.operate(room, { ratePerMinute: 1 })
    await bench.operate(room, { paused: false })
    await waitUntil('all tokens are used', async () => {
      await line.heartbeat(at, staying)
      return (await line.now(at)).floor >= TOKENS
    })
    const floor = (await line.floor(at, 2 * TOKENS)).map((item) => item.number)
    expect(floor.toSorted((one, other) => one - other)).toEqual(staying.slice(0, TOKENS))
  }, 120_000)

  it('[L60 control] without the sweep those who vanished stay in the count', async () => {
    const bench = await open()
    bench.server.services.lifecycle.stopping = true
    const room = await bench.sale({ ...SETTINGS, heartbeatTimeoutSeconds: 1 })
    const at = await placeOf(bench, room)
    const { line } = bench.server
    await line.join(at, Array.from({ length: 30 }, newVisitor))
    const { now: joinedAt } = await line.now(at)
    await waitUntil('they would be away by now', async () => (await line.now(at)).now - joinedAt > 6_000)
    expect(await line.now(at)).toMatchObject({ waiting: 30, away: 0 })
    bench.server.services.lifecycle.stopping = false
    await waitUntil('they are away', async () => (await line.now(at)).away === 30)
    const [entry] = (await line.readLog(at, 32, { limit: 10, waitMs: 0 })).map(({ change }) => change)
    expect(entry).toMatchObject({ kind: 'attended' })
  })
})

/** The room of an address, as the line knows it. */
async function placeOf(bench: RoomBench, room: string): Promise<{ room: string; epoch: number; seenSeq: number }> {
  const { epoch, id } = await bench.server.services.rooms.ofEvent(room.slice('/api/events/'.length))
  return { room: id, epoch, seenSeq: 0 }
}

function newVisitor() {
  return { identity: randomBytes(12).toString('base64url'), class: 0, profile: '{}' } as const
}
