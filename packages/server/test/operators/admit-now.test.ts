import { readTrail } from '@seatwise/ledger'
import { waitUntil } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../support/kernel.ts'
import { forEachMode, type RoomBench } from '../support/room.ts'

/** No visitor is admitted by the rate while a test runs. */
const SLOW = { ratePerMinute: 1, burst: 1, capacity: 5, claimSeconds: 0, heartbeatTimeoutSeconds: 300 }

forEachMode('letting visitors in now', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  const admit = (room: string, count: number, headers: Record<string, string> = {}) =>
    bench.call('POST', `${room}/queue/admit`, { as: bench.organizer.authorization, body: { count }, headers })
  const preview = async (room: string, count: number) => {
    const as = bench.organizer.authorization
    return (await bench.call('POST', `${room}/queue/admit/preview`, { as, body: { count } })).json()
  }
  const crowd = async (room: string, count: number) => {
    for (let index = 0; index < count; index += 1) await bench.join(room)
  }
  const admittedIn = async (roomId: string) =>
    (
      await bench.server.ledger.db
        .selectFrom('room_log')
        .select(['body'])
        .where('room_id', '=', roomId)
        .where('kind', '=', 'admitted')
        .execute()
    ).map(({ body }) => body)

  it('[W84] [M29] lets them in past the rate, not past the capacity; preview, log and trail say so', async () => {
    const room = await bench.sale(SLOW)
    const { roomId, id } = (await bench.call('GET', room)).json<{ roomId: string; id: string }>()
    await crowd(room, 8)
    expect(await preview(room, 3)).toEqual({ admitted: 3, limitedBy: null })
    expect(await preview(room, 9)).toEqual({ admitted: 5, limitedBy: 'capacity' })
    expect((await admit(room, 3)).json()).toEqual({ admitted: 3, limitedBy: null })
    expect((await admit(`/api/rooms/${roomId}`, 9)).json()).toEqual({ admitted: 2, limitedBy: 'capacity' })
    const entries = await waitUntil('the ledger has all five', async () => {
      const found = await admittedIn(roomId)
      return found.length === 5 ? found : null
    })
    expect(entries.map(({ by }) => by)).toEqual(Array(5).fill('operator'))
    const [latest] = await readTrail(bench.server.ledger.db, { eventId: id, roomId }, { before: null, limit: 1 })
    expect(latest).toMatchObject({ kind: 'visitors.admitted', after: { count: 9 }, actorId: bench.organizer.id })
    const audit = await bench.call('GET', `${room}/queue/audit`)
    expect(audit.body).toContain('"by":"operator"')
  })

  it('[W84] [M29] never past the seats that are left, nor more than wait', async () => {
    const scarce = await bench.sale({ ...SLOW, capacity: 50 }, { totalSeats: 2 })
    await crowd(scarce, 4)
    expect(await preview(scarce, 4)).toEqual({ admitted: 2, limitedBy: 'stock' })
    expect((await admit(scarce, 4)).json()).toEqual({ admitted: 2, limitedBy: 'stock' })
    const short = await bench.sale({ ...SLOW, capacity: 50 })
    await crowd(short, 2)
    expect(await preview(short, 4)).toEqual({ admitted: 2, limitedBy: 'line' })
    expect((await admit(short, 4)).json()).toEqual({ admitted: 2, limitedBy: 'line' })
  })

  it('[W84] the same key lets them in once; another count under it is refused', async () => {
    const room = await bench.sale(SLOW)
    await crowd(room, 5)
    const key = { 'idempotency-key': 'let-two-in' }
    expect((await admit(room, 2, key)).json()).toEqual({ admitted: 2, limitedBy: null })
    expect((await admit(room, 2, key)).json()).toEqual({ admitted: 2, limitedBy: null })
    expectError(await admit(room, 3, key), 422, 'KEY_REUSED')
    expect(await preview(room, 5)).toEqual({ admitted: 3, limitedBy: 'line' })
  })

  it('[W84] a paused room is refused with PAUSED; strangers and bad numbers are refused', async () => {
    const room = await bench.sale({ ...SLOW, paused: true })
    await crowd(room, 2)
    expectError(await admit(room, 1), 409, 'PAUSED')
    expect(await preview(room, 1)).toEqual({ admitted: 0, limitedBy: 'paused' })
    await bench.operate(room, { paused: false })
    expect((await admit(room, 1)).json()).toMatchObject({ admitted: 1 })
    for (const count of [0, -1, 1.5, 1e9]) expectError(await admit(room, count), 400, 'BAD_REQUEST')
    const path = `${room}/queue/admit`
    expectError(await bench.call('POST', path, { body: { count: 1 } }), 401, 'UNAUTHORIZED')
    expectError(await bench.call('POST', path, { as: bench.buyer(), body: { count: 1 } }), 403, 'FORBIDDEN')
  })
})
