import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultPoint, faultPointsOf } from '@seatwise/domain'
import {
  type PublicItem,
  postgresDatabase,
  redisCommand,
  removeFolder,
  type Server,
  startRedis,
  startServer,
  temporaryFolder,
  verifyDraw,
  verifyLog,
  waitUntil,
} from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { restartDoomed } from '../sale-under-test/restart-doomed.ts'

const isLong = process.env.SEATWISE_LONG === '1'
/** Draws, each of which is broken off at every point. */
const ROUNDS = isLong ? 20 : 1
const TIMEOUT_MS = ROUNDS * 300_000
const POINTS = faultPointsOf('draw')
/** The line is lost at each of these; after the reveal nothing is left to draw. */
const LOSSES = POINTS.filter((point) => point !== 'draw.after-reveal')
/** In the long run more than are given their places at once, so that a draw breaks off between two slices. */
const VISITORS = isLong ? 1_200 : 30
const AT_ONCE = 20
/** A server that died holds its lease for some seconds, and a busy machine takes as long to start another. */
const PATIENT = { timeoutMs: 90_000, everyMs: 100 }

// All at once: most of the time they wait for leases to end.
test.concurrent(`[J9] [J7] the single process killed with -9 at every point of a draw, ${ROUNDS} times each: the same order`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await temporaryFolder()
  const server = await startServer({ mode: 'embedded', dataDir: join(folder, 'data') })
  try {
    for (let round = 0; round < ROUNDS; round += 1) await killAtEachPoint(server)
  } finally {
    await server.discard()
    await removeFolder(folder)
  }
})

test.concurrent(`[J9] [J7] a server with its stores elsewhere killed with -9 at every point of a draw, ${ROUNDS} times each: the same order`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await startServer({ mode: 'distributed' })
  try {
    for (let round = 0; round < ROUNDS; round += 1) await killAtEachPoint(server)
  } finally {
    await server.discard()
  }
})

test.concurrent(`[J9] FLUSHALL at every point of a draw, ${ROUNDS} times each: the same order`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await temporaryFolder()
  const redis = await startRedis()
  const database = await postgresDatabase('migrated')
  const fileOf = (point: FaultPoint): string => join(folder, point)
  const faults = LOSSES.map((point) => `${point}=wait:${fileOf(point)}@1`).join('; ')
  const server = await startServer({ mode: 'distributed', redisUrl: redis.url, databaseUrl: database.url })
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const draw = await Draw.prepare(server)
      await draw.start()
      await server.restart({ SEATWISE_FAULTS: faults })
      const sealed: string[] = []
      for (const point of LOSSES) {
        await waitUntil(`${point} is reached`, () => existsSync(fileOf(point)), PATIENT)
        // What the ledger has of it counts: the seal as well.
        await draw.isSealed()
        sealed.push(...(sealed.length === 0 ? await draw.textsToSeal() : []))
        await redisCommand(redis.port, 'FLUSHALL')
        rmSync(fileOf(point))
      }
      await draw.judge()
      expect(await draw.textsToSeal(), 'the first seal counts').toEqual(sealed)
      await server.restart()
    }
  } finally {
    await server.discard()
    await database.drop()
    await redis.discard()
    await removeFolder(folder)
  }
})

/** One draw, which is begun again after each death. */
async function killAtEachPoint(server: Server): Promise<void> {
  const draw = await Draw.prepare(server)
  await draw.start()
  for (const point of POINTS) {
    await restartDoomed(server, `${point}=crash`)
    expect(await server.exited, point).toMatchObject({ signal: 'SIGKILL' })
  }
  await server.restart()
  await draw.judge()
}

interface Joined {
  readonly number: number
  readonly ticketToken: string
  readonly accessToken: string
}

/** A sale with a pre-queue, in which nobody is let in until its order was judged. */
class Draw {
  readonly #server: Server
  readonly #event: { readonly id: string; readonly roomId: string }
  readonly #admin: string
  #tickets: Joined[] = []

  constructor(server: Server, event: { readonly id: string; readonly roomId: string }, admin: string) {
    this.#server = server
    this.#event = event
    this.#admin = admin
  }

  get #room(): string {
    return `/api/events/${this.#event.id}`
  }

  static async prepare(server: Server): Promise<Draw> {
    const admin = `Bearer ${await server.adminToken()}`
    const sale = {
      ...{ name: 'A drawn sale', totalSeats: VISITORS },
      ...{ salesStartAt: new Date(Date.now() + 3_600_000), salesEndAt: new Date(Date.now() + 7_200_000) },
      room: {
        ...{
          preQueueAt: new Date(Date.now() - 1_000),
          draw: 'commit',
          challenge: 'off',
          paused: true,
          guestsPerAddress: 0,
        },
        ...{ capacity: VISITORS + 1, burst: 1_000, ratePerMinute: 60_000, heartbeatTimeoutSeconds: 3_600 },
      },
    }
    const draw = new Draw(server, await send(server, 'POST', '/api/events', sale, { authorization: admin }), admin)
    await draw.#join()
    return draw
  }

  async #join(): Promise<void> {
    const wish = { class: 1, count: 2, expiresAt: new Date(Date.now() + 7_200_000) }
    const { codes } = await this.#operate<{ codes: string[] }>('POST', '/priority-codes', wish)
    const join = async (body: object, as: Record<string, string> = {}) =>
      await send<Joined>(this.#server, 'POST', `${this.#room}/queue/join`, body, as)
    this.#tickets.push(await join({ priorityCode: codes[0] }))
    while (this.#tickets.length < VISITORS) {
      const some = Math.min(AT_ONCE, VISITORS - this.#tickets.length)
      this.#tickets.push(...(await Promise.all(Array.from({ length: some }, () => join({})))))
    }
    // A class that comes with a code later counts in the draw, too.
    const promoted = this.#tickets[7]
    await join({ priorityCode: codes[1] }, { authorization: `Bearer ${promoted?.accessToken}` })
  }

  async #operate<Answer>(method: string, path: string, body: object): Promise<Answer> {
    return await send(this.#server, method, `${this.#room}${path}`, body, { authorization: this.#admin })
  }

  /** Soon enough that the server dies in it, and late enough for the answer. */
  async start(): Promise<void> {
    await this.#operate('PATCH', '', { salesStartAt: new Date(Date.now() + 500) })
  }

  async isSealed(): Promise<void> {
    await waitUntil('the ledger has the seal', async () => (await this.textsToSeal()).length > 0, PATIENT)
  }

  async #state(): Promise<string> {
    return (await this.#ask<{ state: string }>(`${this.#room}/queue/draw`)).state
  }

  async textsToSeal(): Promise<string[]> {
    const texts = (await this.#items()).map(({ canonical }) => canonical)
    return texts.slice(0, texts.findIndex((text) => text.includes('"kind":"sealed"')) + 1)
  }

  /** All visitors have the places that the log gives to anybody who computes them, and go in by them. */
  async judge(): Promise<void> {
    await waitUntil('the draw is revealed', async () => (await this.#state()) === 'revealed', PATIENT)
    const { problems, order } = verifyDraw(this.#event.roomId, await this.#items())
    expect(problems).toEqual([])
    expect(order).toHaveLength(VISITORS)
    // The promoted and the invited visitor are drawn before all others.
    const first = [this.#tickets[0], this.#tickets[7]].map((ticket) => ticket?.number)
    expect(new Set(order.slice(0, 2))).toEqual(new Set(first))
    const told = await waitUntil('the line is open', () => this.#places(), PATIENT)
    expect(told.toSorted((one, other) => one.place - other.place).map(({ number }) => number)).toEqual(order)
    await this.#operate('PATCH', '/room', { paused: false })
    await waitUntil(
      'all go in',
      async () => (await this.#ask<{ waiting: number }>(`${this.#room}/queue/now`)).waiting === 0,
      PATIENT,
    )
    await waitUntil('a head covers all', async () => {
      const head = await this.#ask<{ size: number }>(`${this.#room}/queue/head`)
      return head.size === (await this.#items()).length
    })
    expect(await verifyLog((path) => this.#ask(path), this.#room)).toEqual([])
  }

  /** Null while a visitor is not told a place yet. */
  async #places(): Promise<{ number: number; place: number }[] | null> {
    const told: { number: number; place: number }[] = []
    for (let from = 0; from < this.#tickets.length; from += AT_ONCE) {
      const looks = this.#tickets.slice(from, from + AT_ONCE).map(async ({ number, ticketToken }) => {
        const { place } = await this.#ask<{ place: number | null }>(`${this.#room}/queue/status`, ticketToken)
        return place === null ? null : { number, place }
      })
      for (const each of await Promise.all(looks)) if (each !== null) told.push(each)
      if (told.length < Math.min(from + AT_ONCE, this.#tickets.length)) return null
    }
    return told
  }

  async #items(): Promise<PublicItem[]> {
    const items: PublicItem[] = []
    for (let after: string | null = '0-0'; after !== null; ) {
      const page: { items: PublicItem[]; nextAfter: string | null } = await this.#ask(
        `${this.#room}/queue/audit?after=${after}&limit=1000`,
      )
      items.push(...page.items)
      after = page.items.length === 0 ? null : page.nextAfter
    }
    return items
  }

  /** A server that has just started on a busy machine may ask to come again. */
  async #ask<Answer>(path: string, ticket?: string): Promise<Answer> {
    return await waitUntil(`${path} is answered`, async () => {
      const headers = ticket === undefined ? {} : { 'seatwise-ticket': ticket }
      const answer = await fetch(new URL(path, this.#server.url), { headers })
      if (answer.status === 503) return null
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Answer
    })
  }
}

async function send<Answer>(
  server: Server,
  method: string,
  path: string,
  body: object,
  as: Record<string, string>,
): Promise<Answer> {
  const init = { method, headers: { 'content-type': 'application/json', ...as }, body: JSON.stringify(body) }
  const answer = await fetch(new URL(path, server.url), init)
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}
