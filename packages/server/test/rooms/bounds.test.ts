import { openScratchLedger, waitUntil } from '@seatwise/testbench'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { measureBuffers } from '../../src/kit/buffers.ts'
import { Heartbeats } from '../../src/rooms/heartbeats.ts'
import { KnownTickets } from '../../src/rooms/picture/known-tickets.ts'
import { PassedOver } from '../../src/rooms/picture/passed-over.ts'
import { openRoomServer, RoomBench } from '../support/room.ts'

describe('bounds of a room on a server', () => {
  it('[I26] heartbeats that cannot be delivered are kept up to their bound, then dropped', async () => {
    let isAway = true
    const delivered = new Set<number>()
    const heartbeats = new Heartbeats(async (numbers) => {
      if (isAway) throw new Error('the store is away')
      for (const number of numbers) delivered.add(number)
    })
    for (let number = 0; number < 120_000; number++) heartbeats.add(number)
    await heartbeats.flush()
    expect(heartbeats.size).toBeLessThanOrEqual(50_000)
    isAway = false
    await heartbeats.close()
    expect(heartbeats.size).toBe(0)
    expect(delivered.size).toBeGreaterThan(0)
    expect(delivered.size).toBeLessThanOrEqual(50_000)
  })

  it('[I26] [R12] recent changes are kept up to their bound; an answer from before a dropped one is not cached', () => {
    const known = new KnownTickets()
    for (let number = 1; number <= 70_000; number++) known.forget(number, number)
    expect(known.sizes().recentChanges).toBeLessThanOrEqual(65_536)
    expect(known.sizes().recentChanges).toBeGreaterThanOrEqual(32_768)
    // A remembered change is newer than the answer.
    known.learn(40_000, 1, 39_999)
    expect(known.isWaiting(40_000, 1)).toBe(false)
    // The change of ticket 1 was dropped: an answer from before it must not be cached.
    known.learn(1, 1, 0)
    expect(known.isWaiting(1, 1)).toBe(false)
    known.learn(1, 1, 70_000)
    expect(known.isWaiting(1, 1)).toBe(true)
  })

  it('[I26] [R30] a passed-over visitor is remembered for a moment after coming back, and their number is bounded', () => {
    const passedOver = new PassedOver()
    const entry = { epoch: 1, seq: 1, at: 0, operation: 'admit' }
    for (let number = 1; number <= 30_000; number++) {
      passedOver.follow({ ...entry, change: { kind: 'away', numbers: [number], ranks: [0] } }, 0)
    }
    expect(passedOver.size).toBeLessThanOrEqual(20_000)
    expect([1, 30_000, 30_001].map((number) => passedOver.isJustBack(number, 1_000))).toEqual([false, true, false])
    passedOver.follow({ ...entry, change: { kind: 'back', numbers: [30_000], ranks: [0] } }, 2_000)
    expect([2_000, 6_999, 7_000].map((now) => passedOver.isJustBack(30_000, now))).toEqual([true, true, false])
  })

  it('[R12] an answer older than the log position, or from before a gap, is not cached', () => {
    const known = new KnownTickets()
    known.learn(5, 1, 10)
    expect(known.isWaiting(5, 1)).toBe(true)
    expect(known.isWaiting(5, 2)).toBe(false)
    known.forget(5, 11)
    known.learn(5, 1, 10)
    expect(known.isWaiting(5, 1)).toBe(false)
    known.clear(20)
    known.learn(6, 1, 19)
    expect(known.isWaiting(6, 1)).toBe(false)
    known.learn(6, 1, 20)
    expect(known.isWaiting(6, 1)).toBe(true)
  })

  it('[I26] a ticket beyond what is tracked is asked for each time, and takes no memory', () => {
    const known = new KnownTickets()
    known.learn(64_000_001, 1, 1)
    expect(known.isWaiting(64_000_001, 1)).toBe(false)
    expect(known.sizes().knownTickets).toBeLessThan(10_000)
  })

  it('[I26] how full they are is shown in the metrics', async () => {
    const ledger = await openScratchLedger()
    const server = await openRoomServer(ledger)
    const bench = await RoomBench.open(server)
    const room = await bench.sale({ paused: true })
    await bench.join(room)
    const body = await waitUntil('the log is followed', async () => {
      const metrics = await bench.call('GET', '/metrics')
      return metrics.body.includes('seatwise_log_unfollowed_entries 0') ? metrics.body : null
    })
    const sizeOf = (buffer: string) =>
      Number(new RegExp(`seatwise_buffered_items\\{buffer="${buffer}"\\} (\\d+)`).exec(body)?.[1])
    await waitUntil('the waiting are counted', async () =>
      (await bench.call('GET', '/metrics')).body.includes('\nseatwise_waiting_tickets 1\n'),
    )
    expect(sizeOf('rooms')).toBe(1)
    expect(sizeOf('known_tickets')).toBeGreaterThan(0)
    for (const buffer of ['queued_requests', 'heartbeats', 'recent_changes', 'shown_estimates', 'verified_tokens']) {
      expect(sizeOf(buffer), buffer).toBeGreaterThanOrEqual(0)
    }
    await server.close()
    await ledger.close()
  })

  it('[I26] a buffer that is measured again replaces the one before', async () => {
    const registry = new Registry()
    measureBuffers(registry, { things: () => 1 })
    measureBuffers(registry, { things: () => 2, others: () => 3 })
    const text = await registry.metrics()
    expect(text).toContain('seatwise_buffered_items{buffer="things"} 2')
    expect(text).toContain('seatwise_buffered_items{buffer="others"} 3')
  })
})
