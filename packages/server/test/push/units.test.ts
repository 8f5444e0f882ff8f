import { applyMoves, type LogEntry, type Move, type PushPosition, pollPolicy, shouldListen } from '@seatwise/domain'
import { seededRandom } from '@seatwise/testbench'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PrivateChannel } from '../../src/push/channels/private-channel.ts'
import { RecentMessages } from '../../src/push/channels/recent-messages.ts'
import { MoveCollector } from '../../src/push/news/move-collector.ts'
import { Broadcaster, type Listener } from '../../src/push/transport/broadcaster.ts'
import { Connection } from '../../src/push/transport/connection.ts'
import { Outgoing } from '../../src/push/transport/outgoing.ts'
import type { Wire } from '../../src/push/transport/wire.ts'
import type { TicketClaims } from '../../src/rooms/room.ts'

const message = (text: string, position: PushPosition = { epoch: 1, seq: 1 }): Outgoing =>
  new Outgoing({ type: 'MESSAGE', text, channel: 'event:x:public', ...position })

/** What the server knows of a visitor who stands at a rank as of the first entry. */
function channelAt(rank: number): PrivateChannel {
  const number = rank + 1
  const ticket = { number, identity: `visitor-${number}`, generation: 1, class: 0, place: number, joinedAt: 0 } as const
  const claims: TicketClaims = { ...ticket, room: 'room', epoch: 1 }
  const channel = new PrivateChannel(claims)
  const nowhere = { deadline: null, fence: null, extended: false, reason: null }
  channel.learn(
    { ...ticket, ...nowhere, state: 'waiting', away: false, back: false, rank, waiting: 20, seq: 0, now: 0 },
    true,
  )
  return channel
}

describe('how the line moves', () => {
  /** A line described by its log: a visitor comes in at some rank, or leaves from some rank. */
  const history = fc.array(fc.record({ comes: fc.boolean(), at: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 60,
  })

  it('[U7] moves applied to an exact rank give the exact rank, however they are cut into messages', () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(10), { maxLength: 20 }), (steps, cuts) => {
        const line = [...Array(20).keys()].map((number) => `first ${number}`)
        const collector = new MoveCollector(0, line.length)
        const ranks = new Map(line.map((name, rank) => [name, rank]))
        let seq = 0
        const due = new Set(cuts)
        for (const [index, { comes, at }] of steps.entries()) {
          seq += 1
          if (comes) {
            const rank = Math.round(at * line.length)
            line.splice(rank, 0, `later ${index}`)
            collector.add(entry(seq, { kind: 'back', numbers: [index], ranks: [rank] }))
          } else if (line.length > 0) {
            const rank = Math.floor(at * line.length * 0.999)
            ranks.delete(line[rank] ?? '')
            line.splice(rank, 1)
            collector.add(entry(seq, { kind: 'expired', numbers: [index], reason: 'cancelled', ranks: [rank] }))
          }
          if (!due.has(index) && index !== steps.length - 1) continue
          const { news } = collector.take(seq)
          if (news !== null) expect(news.waiting).toBe(line.length)
          for (const [name, rank] of ranks) ranks.set(name, applyMoves(rank, news?.moves ?? []))
          for (const [name, rank] of ranks) expect(rank).toBe(line.indexOf(name))
        }
      }),
      { seed: 20261115 },
    )
  })

  it('[U7] a rank that the server follows for one visitor is exact, also when another visitor comes in at that very rank', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const line = [...Array(20).keys()].map((number) => `first ${number}`)
        const collector = new MoveCollector(0, line.length)
        const channels = new Map(line.map((name, rank) => [name, channelAt(rank)]))
        for (const [index, { comes, at }] of steps.entries()) {
          const seq = index + 1
          const rank = comes ? Math.round(at * line.length) : Math.floor(at * line.length * 0.999)
          if (comes) line.splice(rank, 0, `later ${index}`)
          else for (const gone of line.splice(rank, 1)) channels.delete(gone)
          const change = comes
            ? ({ kind: 'back', numbers: [index], ranks: [rank] } as const)
            : ({ kind: 'expired', numbers: [index], reason: 'cancelled', ranks: [rank] } as const)
          collector.add(entry(seq, change))
          const moved = collector.take(seq)
          for (const [name, channel] of channels) {
            channel.move(moved.steps, moved.seq)
            expect(channel.rank).toBe(line.indexOf(name))
          }
        }
      }),
      { seed: 20261118 },
    )
  })

  it('[U7] a thousand admissions are one move, and visitors who join behind move no rank', () => {
    const collector = new MoveCollector(0, 5_000)
    for (let seq = 1; seq <= 1_000; seq += 1) {
      collector.add(entry(seq, { kind: 'admitted', number: seq, class: 0, fence: seq, deadline: 0, active: false }))
    }
    expect(collector.take(1_000).news).toEqual({
      ...{ type: 'QUEUE_MOVE', from: 0, departedRank: 0, waiting: 4_000 },
      moves: [[0, -1_000]] satisfies Move[],
    })
    collector.add(entry(1_001, { kind: 'back', numbers: [9_000], ranks: [4_000] }))
    expect(collector.take(1_001).news).toBeNull()
  })

  it('[U7] visitors who go away and come back in one entry move one after the other', () => {
    const collector = new MoveCollector(0, 10)
    const [third, eighth] = [channelAt(2), channelAt(7)]
    collector.add(entry(1, { kind: 'away', numbers: [1, 3, 4], ranks: [0, 1, 1] }))
    third.seen(entry(1, { kind: 'away', numbers: [1, 3, 4], ranks: [0, 1, 1] }))
    let moved = collector.take(1)
    expect(moved.news).toMatchObject({
      waiting: 7,
      moves: [
        [0, -1],
        [1, -2],
      ] satisfies Move[],
    })
    for (const channel of [third, eighth]) channel.move(moved.steps, moved.seq)
    expect([third.rank, eighth.rank]).toEqual([null, 4])
    const back = entry(2, { kind: 'back', numbers: [3, 4, 1], ranks: [1, 2, 0] })
    collector.add(back)
    third.seen(back)
    moved = collector.take(2)
    for (const channel of [third, eighth]) channel.move(moved.steps, moved.seq)
    expect([third.rank, eighth.rank]).toEqual([2, 7])
  })

  it('[U7] after a gap, or when too much moved, no moves are sent', () => {
    const collector = new MoveCollector(0, 1_000)
    collector.lose()
    expect(collector.take(10).news).toMatchObject({ from: 0, moves: null })
    for (let seq = 11; seq <= 311; seq += 1) {
      collector.add(entry(seq, { kind: 'expired', numbers: [seq], reason: 'cancelled', ranks: [seq % 7] }))
    }
    expect(collector.take(311).news).toMatchObject({ from: 10, moves: null, departedRank: 0 })
  })
})

it('[U20] a far crowd is not asked to open connections, however fast the room is; those near and inside are', () => {
  const slow = pollPolicy(90, 120, 60)
  const fast = pollPolicy(90, 120, 1_000_000)
  expect([0, 999, null].map((rank) => shouldListen(slow, rank))).toEqual([true, true, true])
  expect([1_000, 1_000_000].map((rank) => shouldListen(slow, rank))).toEqual([false, false])
  expect([9_999, 10_000].map((rank) => shouldListen(fast, rank))).toEqual([true, false])
})

describe('what was missed', () => {
  it('[U16] everything after a position is returned or reported as gone', () => {
    const recent = new RecentMessages({ epoch: 1, seq: 10 })
    for (let seq = 11; seq <= 400; seq += 1) recent.add(message('x', { epoch: 1, seq }))
    expect(recent.size).toBeLessThanOrEqual(256)
    expect(recent.after({ epoch: 1, seq: 10 })).toBeNull()
    expect(recent.after({ epoch: 2, seq: 399 })).toBeNull()
    expect(recent.after({ epoch: 1, seq: 399 })?.map(({ position }) => position?.seq)).toEqual([400])
    const oldest = 400 - recent.size
    expect(recent.after({ epoch: 1, seq: oldest })).toHaveLength(recent.size)
    expect(recent.after({ epoch: 1, seq: oldest - 1 })).toBeNull()
  })
})

describe('writing to thousands', () => {
  it('[U21] the bytes are made once, and are a frame of the protocol whatever their length', () => {
    for (const length of [0, 30, 200, 70_000]) {
      const outgoing = message('é'.repeat(length))
      expect(outgoing.frame).toBe(outgoing.frame)
      expect(outgoing.event).toBe(outgoing.event)
      const { frame } = outgoing
      const short = frame.readUInt8(1)
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      const stated = head === 2 ? short : head === 4 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))
      expect(frame.readUInt8(0)).toBe(0x81)
      expect(stated).toBe(frame.length - head)
      expect(JSON.parse(frame.toString('utf8', head))).toMatchObject({ text: 'é'.repeat(length) })
    }
  })

  it('[U21] a broadcast yields to other work, and every client gets every message in order', async () => {
    const random = seededRandom(7)
    const wires = Array.from({ length: 3_000 }, () => new SlowWire(random() < 0.5 ? 0.02 : 0.01))
    const listeners = new Set(wires.map(listen))
    const broadcaster = new Broadcaster()
    const sent = [message('one'), message('two')]
    for (const outgoing of sent) expect(broadcaster.send(outgoing, listeners)).toBe(true)
    let turns = 0
    while (broadcaster.waiting > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    }
    // 60 ms or more of writing, in slices of 3 ms.
    expect(turns).toBeGreaterThan(8)
    for (const { written } of wires) expect(written).toEqual(sent)
  })

  it('[U21 control] written in one go, no other work gets a turn', async () => {
    const wires = Array.from({ length: 3_000 }, () => new SlowWire(0.01))
    let turns = 0
    setImmediate(() => {
      turns += 1
    })
    for (const wire of wires) wire.write(message('one'))
    expect(turns).toBe(0)
  })
})

function entry(seq: number, change: LogEntry['change']): LogEntry {
  return { epoch: 1, seq, at: 0, operation: 'x', change }
}

function listen(wire: SlowWire): Listener {
  return { connection: new Connection(wire, 0, () => undefined), wants: () => true }
}

/** Writing takes the processor for a while, as a system call does. */
class SlowWire implements Wire {
  readonly transport = 'websocket'
  readonly buffered = 0
  readonly written: Outgoing[] = []
  readonly #busyMs: number

  constructor(busyMs: number) {
    this.#busyMs = busyMs
  }

  write(outgoing: Outgoing): void {
    const until = performance.now() + this.#busyMs
    while (performance.now() < until);
    this.written.push(outgoing)
  }

  ping(): void {}
  close(): void {}
  destroy(): void {}
}
