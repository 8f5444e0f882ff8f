import { randomBytes, randomUUID } from 'node:crypto'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import { HOUSE_ID, type Ledger, migrate, openLedger, readRoom } from '@seatwise/ledger'
import type { Line } from '@seatwise/line'
import { postgresDatabase, waitUntil } from '@seatwise/testbench'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDrawKit } from '../../../src/rooms/fair-start/draw-kit.ts'
import { KEPT_ENTRIES, LogFollower } from '../../../src/rooms/log/follow-log.ts'
import { alwaysHeld } from '../../../src/rooms/log/lease.ts'
import { openRooms } from '../../../src/rooms/open-rooms.ts'
import type { TicketClaims } from '../../../src/rooms/room.ts'
import { RoomLink } from '../../../src/rooms/room-link.ts'
import { createRoomMetrics } from '../../../src/rooms/room-metrics.ts'
import { forEachMode, openRoomServer, type RoomBench, type RoomServer } from '../../support/room.ts'

const log = pino({ level: 'silent' })
/** So slow that everything beyond the first hundred is far. */
const SLOW = { ratePerMinute: 1, burst: 1, paused: true }
const VISITORS = 130

forEachMode('a server that reads the log too slowly', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  it('[R12][R19] knows that it missed trimmed entries, and answers no poll from what it knew before', async () => {
    const sale = await bench.sale(SLOW)
    const joins = Array.from({ length: VISITORS }, () => bench.join(sale))
    const tickets = (await Promise.all(joins)).sort((one, other) => Number(one.place) - Number(other.place))
    const claims = tickets.map(({ ticketToken }) => readTicket(bench.server, ticketToken))
    const [ended, other] = [claims.at(-3), claims.at(-4)]
    if (ended === undefined || other === undefined) throw new Error('Too few visitors')

    const reader = slowReader(bench.server.line)
    const { ledger } = bench.server
    const metrics = createRoomMetrics(new Registry())
    const slow = openRooms({
      ...{ ledger, line: reader.line, log, metrics, followerLease: null, now: Date.now },
      signing: { keys: bench.server.services.identity.keys, host: 'localhost' },
      ...{ drawLease: null, drawKit: createDrawKit([randomBytes(32)], ledger) },
      takesHeartbeats: () => true,
    })
    try {
      const room = await slow.byId(ended.room)
      const isFar = async (ticket: TicketClaims) => {
        await room.look(ticket)
        await room.freshNow()
        return room.lookFar(ticket) !== null
      }
      await waitUntil('both are answered from memory', async () => (await isFar(ended)) && (await isFar(other)))

      await reader.hold()
      const at = { room: room.id, epoch: room.epoch, seenSeq: 0 }
      const { line } = bench.server
      const [gone] = await line.end(at, [{ ...ended, as: 'cancelled', operation: randomUUID() }])
      const endedSeq = gone?.seq ?? 0
      // More than servers leave in the log for each other.
      const crowd = Array.from({ length: KEPT_ENTRIES + 100 }, newVisitor)
      const lastSeq = (await line.join(at, crowd)).at(-1)?.seq ?? 0
      await waitUntil('the end of the ticket was trimmed', async () => {
        const [first] = await line.readLog(at, endedSeq - 1, { limit: 1, waitMs: 0 })
        return (first?.seq ?? 0) > endedSeq
      })
      const followed = Promise.withResolvers<void>()
      room.onEntries((entries) => {
        if (entries.some(({ seq }) => seq >= lastSeq)) followed.resolve()
      })
      reader.goOn()

      await followed.promise
      await waitUntil('the other is answered from memory again', () => isFar(other))
      expect(room.lookFar(ended)).toBeNull()
      expect((await room.look(ended)).view).toMatchObject({ state: 'expired', reason: 'cancelled' })
    } finally {
      reader.goOn()
      await slow.close()
    }
  })
})

describe('a log that was trimmed beyond what the ledger has', () => {
  let database: Awaited<ReturnType<typeof postgresDatabase>>
  let ledger: Ledger
  let server: RoomServer
  beforeAll(async () => {
    database = await postgresDatabase()
    ledger = await openLedger({ kind: 'postgres', url: database.url })
    await migrate(ledger)
    server = await openRoomServer(ledger)
  })
  afterAll(async () => {
    await server.close()
    await ledger.close()
    await database.drop()
  })

  it('[R15][R19] is noticed by the follower, and the line rebuilt from what the ledger has', async () => {
    const { line } = server
    const room = randomUUID()
    const settings = JSON.stringify(ROOM_DEFAULTS)
    await ledger.db
      .insertInto('rooms')
      .values({ id: room, name: 'Shop', target: 'https://shop.example', organization_id: HOUSE_ID, settings })
      .execute()
    const closing = new AbortController()
    const drawKit = createDrawKit([randomBytes(32)], ledger)
    const link = new RoomLink({
      room,
      line,
      ledger,
      drawKit,
      log,
      closing: closing.signal,
      onEpoch: async () => {},
    })
    await link.open()
    const join = async () => {
      const [reply] = await link.run((at) => line.join(at, [newVisitor()]))
      return reply?.seq ?? 0
    }
    const first = link.epoch
    const follow = (isOpen: () => boolean) =>
      new LogFollower({ ledger, line, link, room, log, lease: alwaysHeld(), onCopied: () => {} }).run(isOpen)
    const known = await join()
    let looks = 0
    await follow(() => looks++ === 0)
    expect((await readRoom(ledger.db, { roomId: room }))?.seq).toBe(known)

    await join()
    // The entry that is named stays: what is lost is the one before it.
    await line.trim({ room, epoch: first, seenSeq: 0 }, await join(), 0)
    await follow(() => link.epoch === first)
    expect(await readRoom(ledger.db, { roomId: room })).toMatchObject({ epoch: first + 1 })
    const epochs = ledger.db.selectFrom('room_epochs').select(['epoch', 'reason']).where('room_id', '=', room)
    expect(await epochs.orderBy('epoch').execute()).toMatchObject([
      { epoch: first },
      { epoch: first + 1, reason: 'conflict' },
    ])
    closing.abort()
  })
})

const newVisitor = () => ({ identity: randomUUID().slice(0, 16), class: 0 as const, profile: '{}' })

function readTicket({ services }: RoomServer, token: string): TicketClaims {
  const claims = services.roomTokens.tickets.read(token)
  if (claims === null) throw new Error('Not a ticket of ours')
  return claims
}

/** The same line for a server that does not come to read the log while it is held. */
function slowReader(line: Line): { line: Line; hold(): Promise<void>; goOn(): void } {
  let free = Promise.withResolvers<void>()
  free.resolve()
  let held = Promise.withResolvers<void>()
  let isHeld = false
  const readLog: Line['readLog'] = async (...asked) => {
    if (isHeld) held.resolve()
    await free.promise
    return await line.readLog(...asked)
  }
  const slow = new Proxy(line, {
    get: (target, name) => {
      if (name === 'readLog') return readLog
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    line: slow,
    async hold() {
      free = Promise.withResolvers()
      held = Promise.withResolvers()
      isHeld = true
      await held.promise
    },
    goOn() {
      isHeld = false
      free.resolve()
    },
  }
}
