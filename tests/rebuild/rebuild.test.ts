import { existsSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatReport } from '@seatwise/checker'
import { faultPointsOf } from '@seatwise/domain'
import { runStatement } from '@seatwise/ledger'
import { connectRedis, openRedisLine, parseRedisUrl } from '@seatwise/line'
import { createTicketTokens } from '@seatwise/server'
import {
  recordsOfRoom,
  redisCommand,
  removeFolder,
  SECRET,
  type Server,
  startRedis,
  suiteSeed,
  temporaryFolder,
  type Visitor,
  waitUntil,
} from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seeItThrough } from '../sale-under-test/see-it-through.ts'
import { type Sale, startSale } from '../sale-under-test/start-sale.ts'

/** The single process dies at these points once in each run, too. */
const ROUNDS = process.env.SEATWISE_LONG === '1' ? 20 : 1
/** A loss is noticed within a second, also without requests. */
const NOTICED_MS_MAX = 1_000
/** Numbers that the lost log could have held are not given out again. */
const LOG_MAX = 1_000_000

/** One room goes through every way of losing its line. It is paused, so that the order can be looked at in peace. */
describe('a line that is lost', () => {
  let sale: Sale
  /** All waiting visitors, in order. */
  const line: Visitor[] = []
  let gone: Visitor
  /** What the first device of a visitor who moved to another one still holds. */
  let movedToken: string
  let folder: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    sale = await startSale({
      ...{ servers: 2, seed: suiteSeed() },
      room: { capacity: 50, ratePerMinute: 60_000, burst: 50, claimSeconds: 60, sessionSeconds: 60 },
    })
    await sale.change({ paused: true })
    await come(4)
    gone = sale.visitor('gone')
    await gone.join()
    await come(5)
    await gone.leave()
    movedToken = await handOver(sale, line.at(-1))
    await sale.followed()
  }, 180_000)
  afterAll(async () => {
    await sale?.close()
    await removeFolder(folder)
  })

  async function come(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const visitor = sale.visitor(`visitor ${line.length}`)
      await visitor.join()
      line.push(visitor)
    }
  }

  async function eachServer(act: (server: Server) => Promise<unknown>): Promise<void> {
    await Promise.all(sale.servers.map(act))
  }

  /** The ranks that the visitors are told must be their order. */
  async function expectOrder(): Promise<void> {
    // Visitors that the ledger had not seen come back one after the other, as they ask.
    await Promise.all(line.map((visitor) => visitor.look()))
    const told = await Promise.all(line.map((visitor) => visitor.look()))
    expect(told.map(({ rank }) => rank)).toEqual(line.map((_, index) => index))
    expect((await gone.look()).status).toBe('expired')
    expect(await tokenAnswer(sale, movedToken)).toBe('401 TICKET_MOVED')
  }

  /** Loses something, and returns the reason that the next epoch gives, and how long the loss went unnoticed. */
  async function lose(what: string, how: () => Promise<unknown>): Promise<{ reason: string; afterMs: number }> {
    const epoch = await sale.epoch()
    sale.history.fault(what, 'redis', 'begin')
    await how()
    const lostAt = performance.now()
    await waitUntil('a new epoch begins', async () => (await sale.epoch()) > epoch)
    const afterMs = performance.now() - lostAt
    sale.history.fault(what, 'redis', 'end')
    return { reason: await reasonOf(sale), afterMs }
  }

  test('[R19][R20] FLUSHALL in mid-sale: noticed without requests, rebuilt in order, no ended ticket is back', async () => {
    const { reason, afterMs } = await lose('flush', () => redisCommand(sale.redis.port, 'FLUSHALL'))
    expect(reason).toBe('missing')
    expect(afterMs).toBeLessThan(NOTICED_MS_MAX)
    await expectOrder()
    const before = Math.max(...line.map(({ ticket }) => ticket ?? 0))
    await come(1)
    expect(line.at(-1)?.ticket).toBeGreaterThan(before + LOG_MAX)
    await expectOrder()
  })

  test('[R19][R20][R21] a replica that missed entries is promoted: regressed, and rebuilt', async () => {
    const replica = await startRedis()
    try {
      await redisCommand(replica.port, 'REPLICAOF', '127.0.0.1', String(sale.redis.port))
      await waitUntil('the replica has everything', async () =>
        String(await redisCommand(replica.port, 'INFO', 'replication')).includes('master_link_status:up'),
      )
      await redisCommand(replica.port, 'REPLICAOF', 'NO', 'ONE')
      await come(3)
      const { reason } = await lose('failover', async () => {
        await sale.redis.kill()
        await redisCommand(replica.port, 'CONFIG', 'SET', 'port', String(sale.redis.port))
      })
      expect(reason).toBe('regressed')
      await expectOrder()
    } finally {
      await replica.discard()
    }
  })

  test('[R19][R20] Redis restarted empty: missing, and rebuilt', async () => {
    const { reason } = await lose('crash', () => sale.redis.restart('empty'))
    expect(reason).toBe('missing')
    await expectOrder()
  })

  test('[R19][R20][R21] servers that start on an older state of Redis: regressed, and rebuilt', async () => {
    await redisCommand(sale.redis.port, 'SAVE')
    await come(3)
    await sale.followed()
    const { reason } = await lose('failover', async () => {
      await eachServer((server) => server.kill())
      await sale.redis.restart('kept')
      await eachServer((server) => server.restart())
    })
    expect(reason).toBe('regressed')
    await expectOrder()
  }, 180_000)

  test('[R19][R20] Redis back with an older state that went on differently: the follower meets it, and the ledger wins', async () => {
    const snapshot = join(folder, 'dump.rdb')
    await redisCommand(sale.redis.port, 'SAVE')
    await copyFile(join(sale.redis.folder, 'dump.rdb'), snapshot)
    await come(3)
    await sale.followed()
    const gate = join(folder, 'no server follows yet')
    const { reason } = await lose('split-brain', async () => {
      await eachServer((server) => server.kill())
      await sale.redis.kill()
      await copyFile(snapshot, join(sale.redis.folder, 'dump.rdb'))
      await sale.redis.restart('kept')
      await drawElsewhere(sale, 9)
      await eachServer((server) => server.restart({ SEATWISE_FAULTS: `follow.before-commit=wait:${gate}` }))
      await waitUntil('the follower waits', () => existsSync(gate))
      // Not noticed yet. A visitor who is told that the ticket is unknown would join again, at the back.
      const answers = await Promise.all(line.map(({ ticketToken }) => tokenAnswer(sale, ticketToken ?? '')))
      const harmless = ['200 undefined', '503 UNAVAILABLE', '503 REBUILDING']
      for (const answer of answers) expect(harmless).toContain(answer)
      rmSync(gate)
    })
    expect(reason).toBe('conflict')
    await expectOrder()
  }, 180_000)

  test('[R21] ticket tokens bring back what the ledger had not seen, at the old place; a second ticket of an identity stays out', async () => {
    const gate = join(folder, 'the follower waits here')
    await eachServer((server) => server.restart({ SEATWISE_FAULTS: `follow.before-commit=wait:${gate}` }))
    await come(4)
    const late = sale.visitor('late')
    await late.join()
    const lateToken = late.ticketToken ?? ''
    await waitUntil('the follower stands there', () => existsSync(gate))
    await lose('crash', async () => {
      await eachServer((server) => server.kill())
      await redisCommand(sale.redis.port, 'FLUSHALL')
      rmSync(gate)
      await eachServer((server) => server.restart())
    })
    // Only their tokens are left; a visitor who joins again first has a new ticket, and only that.
    await late.join()
    expect(await tokenAnswer(sale, lateToken)).toBe('401 BAD_TICKET')
    line.push(late)
    await expectOrder()
  }, 180_000)

  test('[R21] a number of another epoch does not come back, also with a validly signed token', async () => {
    await come(1)
    const tokens = createTicketTokens([Buffer.from(SECRET, 'base64')])
    const claims = tokens.read(line.at(-1)?.ticketToken ?? '')
    if (claims === null) throw new Error('The ticket token cannot be read')
    const epoch = await sale.epoch()
    expect(claims.epoch).toBe(epoch)
    // No visitor has drawn it yet, and only this epoch could.
    const number = claims.number + 1
    for (const label of [epoch - 1, epoch, epoch + 1]) {
      const forged = tokens.issue({ ...claims, number, place: number, identity: 'strangerstranger', epoch: label })
      expect(await tokenAnswer(sale, forged)).toBe('401 BAD_TICKET')
    }
    await expectOrder()
  })

  for (const point of faultPointsOf('rebuild')) {
    test(`[R19][R20] a server killed at ${point}: another one does it again, ${ROUNDS} times`, {
      timeout: ROUNDS * 120_000,
    }, async () => {
      const [first, second] = sale.servers
      for (let round = 0; round < ROUNDS; round += 1) {
        await first?.kill()
        await second?.restart({ SEATWISE_FAULTS: `${point}=crash@1` })
        await lose('crash', () => redisCommand(sale.redis.port, 'FLUSHALL'))
        await second?.exited
        // It had begun an epoch that does not count.
        const begun = await sale.epoch()
        await first?.restart()
        await waitUntil('another epoch begins', async () => (await sale.epoch()) > begun)
        await expectOrder()
      }
      await second?.restart()
    })
  }

  test('[I13][I14][I15][I16][I17][I20][I21][I22][I28] over all that every invariant held, and all visitors get through', async () => {
    await sale.change({ paused: false })
    await Promise.all(line.map((visitor) => seeItThrough(visitor, 'completed')))
    await sale.followed()
    const report = await sale.history.check(recordsOfRoom(sale.ledger, sale.roomId))
    expect(
      report.invariants.filter(({ verdict }) => verdict.status === 'violated'),
      formatReport(report),
    ).toEqual([])
    expect(report.invariants.find(({ id }) => id === 'I28')?.verdict.status).toBe('held')
  })
})

async function reasonOf({ ledger, roomId }: Sale): Promise<string> {
  const sql = 'select reason from room_epochs where room_id = $1 order by epoch desc limit 1'
  const [row] = await runStatement<{ reason: string }>(ledger.db, { name: 'reason of the epoch', sql }, [roomId])
  return row?.reason ?? ''
}

/** Draws tickets for strangers past the servers, as the other half of a split brain would. */
async function drawElsewhere(sale: Sale, count: number): Promise<void> {
  const parsed = parseRedisUrl(sale.redis.url)
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  const connection = await connectRedis(parsed.target, { onError: () => undefined })
  const other = openRedisLine({ connection, onCleaningError: () => undefined })
  const epoch = await sale.epoch()
  const requests = Array.from({ length: count }, (_, index) => ({
    ...{ identity: `stranger${index}`.padEnd(16, '0'), class: 0 as const, profile: '{}' },
  }))
  await other.join({ room: sale.roomId, epoch, seenSeq: 0 }, requests)
  await other.close()
}

/** Takes a ticket to another device, which goes on with it; returns what the first device holds. */
async function handOver(sale: Sale, visitor: Visitor | undefined): Promise<string> {
  const token = visitor?.ticketToken ?? ''
  const url = `${sale.servers[0]?.url}/api/rooms/${sale.roomId}/queue/handover`
  const { body } = await sale.http.send({ method: 'POST', url, headers: { 'seatwise-ticket': token } })
  const accepted = await sale.http.send({ method: 'POST', url: `${url}/accept`, body: { code: body.code } })
  if (visitor === undefined || typeof accepted.body.ticketToken !== 'string') throw new Error('No hand-over')
  visitor.ticketToken = accepted.body.ticketToken
  return token
}

async function tokenAnswer(sale: Sale, token: string): Promise<string> {
  const url = `${sale.servers[0]?.url}/api/rooms/${sale.roomId}/queue/status`
  const { status, body } = await sale.http.send({ method: 'GET', url, headers: { 'seatwise-ticket': token } })
  return `${status} ${String(body.code)}`
}
