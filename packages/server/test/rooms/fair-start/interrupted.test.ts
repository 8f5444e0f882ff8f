import { faultPointsOf, faults } from '@seatwise/domain'
import { type PublicItem, verifyDraw, waitUntil } from '@seatwise/testbench'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { forEachMode, type JoinAnswer, type RoomBench } from '../../support/room.ts'

/** After a loss the seal waits a minute only when the ledger does not have it; these losses come later. */
const SOON = { timeoutMs: 20_000 }

forEachMode('a draw that is interrupted', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  afterEach(() => faults.disarm())

  async function drawWith(arm: (roomId: string) => void): Promise<void> {
    const room = await bench.sale(
      { preQueueAt: new Date(Date.now() - 60_000).toISOString(), draw: 'commit', challenge: 'off', paused: true },
      { salesStartAt: new Date(Date.now() + 600_000).toISOString() },
    )
    const roomId = (await bench.call('GET', room)).json<{ roomId: string }>().roomId
    const tickets: JoinAnswer[] = []
    for (let index = 0; index < 20; index++) tickets.push(await bench.join(room))
    arm(roomId)
    const now = { salesStartAt: new Date(Date.now() + 500).toISOString() }
    const moved = await bench.call('PATCH', room, { as: bench.organizer.authorization, body: now })
    expect(moved.statusCode).toBe(200)
    await waitUntil(
      'the draw is revealed',
      async () => (await bench.call('GET', `${room}/queue/draw`)).json<{ state: string }>().state === 'revealed',
      SOON,
    )
    const page = await bench.call('GET', `${room}/queue/audit?limit=1000`)
    const { problems, order } = verifyDraw(roomId, page.json<{ items: PublicItem[] }>().items)
    expect(problems).toEqual([])
    expect(order).toHaveLength(20)
    for (const { ticketToken, number } of tickets) {
      await waitUntil(
        'the visitor is told the drawn place',
        async () => {
          return (await bench.status(room, ticketToken)).place === order.indexOf(Number(number)) + 1
        },
        SOON,
      )
    }
  }

  it('[J9] given up once at every point it is continued, in the same order', async () => {
    const points = faultPointsOf('draw')
    await drawWith(() => {
      for (const point of points) faults.arm(point, () => Promise.reject(new Error(`fault at ${point}`)), 1)
    })
    // The reveal is the last step: nothing is left to do after it.
    for (const point of points)
      expect(faults.visits(point)).toBeGreaterThanOrEqual(point === 'draw.after-reveal' ? 1 : 2)
  })

  it('[J9] [J7] a line that is lost between the steps is rebuilt each time, and drawn in the same order', async () => {
    await drawWith((roomId) => {
      for (const point of ['draw.between-places', 'draw.before-reveal'] as const)
        faults.arm(point, () => bench.server.line.drop(roomId), 1)
    })
  })
})
