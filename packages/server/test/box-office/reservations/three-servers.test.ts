import { randomUUID } from 'node:crypto'
import { migrate, openLedger } from '@seatwise/ledger'
import { type FaultProxy, postgresDatabase, redisUrl, startFaultProxy } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KnownPasses } from '../../../src/box-office/reservations/known-passes.ts'
import { turnAway } from '../../../src/box-office/reservations/reserve-seats.ts'
import { expectError } from '../../support/kernel.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../../support/reservation.ts'
import { openRoomServer, RoomBench } from '../../support/room.ts'

describe('one key, three servers', () => {
  let servers: RoomBench[]
  let toLedger: FaultProxy
  let toLine: FaultProxy
  let sale: string
  const undo: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const database = await postgresDatabase()
    const [ledgerUrl, lineUrl] = [new URL(database.url), new URL(redisUrl())]
    // They make no random choices here.
    toLedger = await startFaultProxy({ targetPort: Number(ledgerUrl.port), protocol: 'postgres', seed: 1 })
    toLine = await startFaultProxy({ targetPort: Number(lineUrl.port), protocol: 'redis', seed: 1 })
    ledgerUrl.port = String(toLedger.port)
    lineUrl.port = String(toLine.port)
    undo.push(
      () => database.drop(),
      () => toLedger.stop(),
      () => toLine.stop(),
    )
    const ledger = await openLedger({ kind: 'postgres', url: database.url })
    // The last server reaches the ledger by a way that the test can cut; the second hears of the line late.
    const distant = await openLedger({ kind: 'postgres', url: ledgerUrl.href })
    await migrate(ledger)
    undo.push(
      () => ledger.close(),
      () => distant.close(),
    )
    const first = await openRoomServer(ledger)
    const { secrets } = first
    const behind = await openRoomServer(ledger, { secrets, redisUrl: lineUrl.href })
    const others = [behind, await openRoomServer(distant, { secrets })]
    undo.push(...[first, ...others].map((server) => () => server.close()))
    const bench = await RoomBench.open(first)
    servers = [first, ...others].map((server) => new RoomBench(server, bench.organizer, bench.admin))
    sale = await bench.sale({ ...OPEN_FLOOR, maxSeatsPerBuyer: 2 }, HOUSE)
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  /** The same visitor at another server. */
  function at(index: number, { authorization, ticket, pass }: Buyer): Buyer {
    const bench = servers[index]
    if (bench === undefined) throw new RangeError(`There is no server ${index}`)
    return Object.assign(new Buyer(bench, sale, authorization, ticket), { pass })
  }

  /** A visitor who has lost the seat at the second server, where that is remembered; and the visitor who has it. */
  async function loserOf(seatId: string): Promise<{ loser: Buyer; holder: Buyer; held: string }> {
    const [bench] = servers as [RoomBench]
    const holder = await Buyer.admitted(bench, sale)
    const loser = await Buyer.admitted(bench, sale)
    const { id: held } = await holder.reserved({ seatIds: [seatId] })
    for (const _time of ['asks the line', 'is known']) {
      expectError(await at(1, loser).reserve({ seatIds: [seatId] }), 409, 'SEAT_TAKEN')
    }
    return { loser, holder, held }
  }

  it('[B60][I32] a key that succeeded at one server is answered with that success at every other, at once', async () => {
    for (const seatId of (await seatIdsOf(servers[0] as RoomBench, sale)).slice(0, 5)) {
      const { loser, holder, held } = await loserOf(seatId)
      const key = randomUUID()
      const wish = { seatIds: [seatId] }
      expectError(await at(1, loser).reserve(wish, key), 409, 'SEAT_TAKEN')
      toLine.setLatency({ ms: 100 })
      await holder.cancel(held)
      const granted = await at(0, loser).reserve(wish, key)
      expect(granted.statusCode).toBe(201)
      const [second, third] = await Promise.all([at(1, loser).reserve(wish, key), at(2, loser).reserve(wish, key)])
      expect([second?.statusCode, second?.json()]).toEqual([201, granted.json()])
      expect([third?.statusCode, third?.json()]).toEqual([201, granted.json()])
      toLine.heal()
      expectError(await at(1, loser).reserve({ seatIds: [randomUUID()] }, key), 422, 'KEY_REUSED')
      // Another key of the same visitor is decided by the ledger, not by a server's cache.
      expect((await at(1, loser).reserve(wish)).statusCode).toBe(201)
    }
  })

  it('[B60 control] memory alone refuses a call that succeeded a moment ago', async () => {
    const [seatId = ''] = await seatIdsOf(servers[0] as RoomBench, sale, 'B')
    const { loser, holder, held } = await loserOf(seatId)
    const { services } = (servers[1] as RoomBench).server
    const actor = services.identity.tokens.verify(loser.authorization.replace('Bearer ', ''))
    const claims = services.roomTokens.passes.read(loser.pass)
    if (actor === null || claims === null) throw new Error('Tokens of ours are read')
    const eventId = sale.split('/').at(-1) ?? ''
    const passes = new KnownPasses()
    const { room: roomId, number } = claims
    passes.learn(loser.pass, { actorId: actor.id, eventId, roomId, number, deadline: Date.now() + 60_000 })
    const unguarded = {
      ...{ passes, now: Date.now, onTurnedAway: () => undefined },
      losers: { mayHaveSucceeded: async () => false, pending: 0 },
    }
    const wish = { seatIds: [seatId] }
    const key = randomUUID()
    await holder.cancel(held)
    expect((await at(0, loser).reserve(wish, key)).statusCode).toBe(201)
    // Under load this server's copy may have seen that the seat was free, and not yet that it was taken again.
    const copy = await services.boxOffice.seatMaps.refresh(eventId)
    const refusal = copy?.judge(wish) ?? null
    if (refusal === null) throw new Error('The copy knows that the seat is taken')
    const refused = turnAway(unguarded, { eventId, actor, key, pass: loser.pass }, refusal)
    await expect(refused).rejects.toMatchObject({ code: 'SEAT_TAKEN' })
  })

  it('[B60] a server that cannot reach the ledger answers 503 instead of a refusal, and the same key succeeds later', async () => {
    const [, seatId = ''] = await seatIdsOf(servers[0] as RoomBench, sale, 'B')
    const { loser, holder, held } = await loserOf(seatId)
    const wish = { seatIds: [seatId] }
    const key = randomUUID()
    const distant = at(2, loser)
    for (const _time of ['asks the line', 'is known']) expectError(await distant.reserve(wish, key), 409, 'SEAT_TAKEN')
    toLedger.refuse()
    toLedger.reset()
    const unknown = await distant.reserve(wish, key)
    toLedger.accept()
    expect(unknown.statusCode).toBe(503)
    expect(unknown.headers['retry-after']).toBeDefined()
    await holder.cancel(held)
    const granted = await at(0, loser).reserve(wish, key)
    expect([granted.statusCode, (await distant.reserve(wish, key)).json()]).toEqual([201, granted.json()])
  })
})
