import { expectFields, type Server, shape, waitUntil } from '@seatwise/testbench'
import { expect } from 'vitest'
import { houseOf } from '../box-office/market.ts'
import { openRoom, type Room } from '../sale-under-test/start-sale.ts'
import type { Laboratory } from './laboratory.ts'

/** The quiet notice, as the words of each language have it. */
const NOTICES = { en: 'a few minutes old', ko: '몇 분 전', vi: 'cũ vài phút' } as const
/** No reader waits longer for a ledger that is away; a busy machine adds to what the server itself takes. */
const ANSWER_MS_MAX = 5_000
const BETWEEN_ROUNDS_MS = 200

interface Read {
  readonly path: string
  readonly status: number
  readonly staleSeconds: number | null
  readonly text: string
}

/** A sale with a visitor on the floor, and all that the public may read of it. */
export interface PublicReads {
  readonly room: Room
  readonly server: Server
  /** Asks for everything once, so that there are copies. */
  readAll(language?: string): Promise<Read[]>
  /** Asks for everything again and again for so long; returns every answer. */
  readFor(ms: number): Promise<Read[]>
  /** Tries to buy; returns the status. */
  reserve(): Promise<number>
  /** What the ledger has sold or held. */
  taken(): Promise<number>
  /** Changes the name in the ledger, and returns how long it takes until readers see it, without a stale answer. */
  untilRight(name: string): Promise<number>
}

export async function openPublicReads(laboratory: Laboratory, seed: number): Promise<PublicReads> {
  const [server] = laboratory.servers
  if (server === undefined) throw new Error('There is no server')
  const event = { ...houseOf(20, 5), name: 'Aurora Live', location: 'Hà Nội' }
  const floor = { capacity: 50, ratePerMinute: 60_000, burst: 100, claimSeconds: 0, sessionSeconds: 600 }
  const room = await openRoom(laboratory.servers, { seed, undo: laboratory.undo, room: floor, event })
  const sale = `/events/${room.eventId}`
  const joined = await fetch(`${server.url}/api${sale}/queue/join`, post({}))
  expect(joined.status).toBe(200)
  const { accessToken, ticketToken } = expectFields(await joined.json(), {
    ...{ accessToken: shape.text, ticketToken: shape.text },
  })
  const cookie = joined.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const pass = await waitUntil('the visitor is on the floor', async () => {
    const url = `${server.url}/api${sale}/queue/status`
    const answer = await fetch(url, { headers: { 'seatwise-ticket': ticketToken } })
    const { status, activeToken } = expectFields(await answer.json(), {
      ...{ status: shape.text, activeToken: shape.optional(shape.text) },
    })
    return status === 'active' ? (activeToken ?? null) : null
  })
  const { version, seatTypes } = JSON.parse((await read(server, `/api${sale}/seats`, {})).text)

  const paths = [
    ...[`/api${sale}`, `/api${sale}/seats`, `/api${sale}/seats?since=${version}`, '/api/events'],
    ...['/api/events/search?q=aurora', '/', '/?q=aurora', sale, `${sale}/wait`, `${sale}/seats`],
  ]
  const readAll = (language = 'en') =>
    Promise.all(paths.map((path) => read(server, path, { cookie, 'accept-language': language })))
  return {
    room,
    server,
    readAll,
    async readFor(ms) {
      const answers: Read[] = []
      const startedAt = performance.now()
      const languages = Object.keys(NOTICES)
      for (let round = 0; performance.now() - startedAt < ms; round += 1) {
        const roundAt = performance.now()
        answers.push(...(await readAll(languages[round % languages.length])))
        await waitUntil('a moment passes', () => performance.now() - roundAt > BETWEEN_ROUNDS_MS)
      }
      return answers
    },
    async reserve() {
      const headers = { authorization: `Bearer ${accessToken}`, 'seatwise-pass': pass, 'idempotency-key': 'one-seat' }
      const wish = { seatTypeId: seatTypes[0].id, quantity: 1 }
      const answer = await fetch(`${server.url}/api${sale}/reservations`, post(wish, headers))
      await answer.body?.cancel()
      return answer.status
    },
    async taken() {
      const rows = await laboratory.ledger.db
        .selectFrom('reservations')
        .select('id')
        .where('event_id', '=', room.eventId)
        .execute()
      return rows.length
    },
    async untilRight(name) {
      const startedAt = performance.now()
      await waitUntil('the ledger takes a write', async () => {
        const written = laboratory.ledger.db.updateTable('events').set({ name }).where('id', '=', room.eventId)
        return await written.execute().then(
          () => true,
          () => false,
        )
      })
      await waitUntil('every answer is right', async () => {
        const answers = await readAll()
        return answers.every(({ status, staleSeconds }) => status === 200 && staleSeconds === null) &&
          answers.filter(({ path }) => path === `/api${sale}` || path === sale).every(({ text }) => text.includes(name))
          ? true
          : null
      })
      return performance.now() - startedAt
    },
  }
}

/** Every answer is 200; copies tell their age from 5 s on, and pages say so in the visitor's language. */
export function expectCopies(answers: readonly Read[]): void {
  expect([
    ...new Set(answers.filter(({ status }) => status !== 200).map(({ path, status }) => `${status} ${path}`)),
  ]).toEqual([])
  const stale = answers.filter(({ staleSeconds }) => staleSeconds !== null)
  expect(new Set(stale.map(({ path }) => path)).size).toBe(new Set(answers.map(({ path }) => path)).size)
  for (const { path, staleSeconds, text } of stale) {
    expect(staleSeconds).toBeGreaterThanOrEqual(5)
    if (!path.startsWith('/api/')) expect(Object.values(NOTICES).some((notice) => text.includes(notice))).toBe(true)
  }
  const fresh = answers.filter(({ path, staleSeconds }) => !path.startsWith('/api/') && staleSeconds === null)
  for (const { text } of fresh) expect(Object.values(NOTICES).some((notice) => text.includes(notice))).toBe(false)
}

async function read(server: Server, path: string, headers: Record<string, string>): Promise<Read> {
  const answer = await fetch(`${server.url}${path}`, { headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  const stale = answer.headers.get('seatwise-stale')
  return { path, status: answer.status, staleSeconds: stale === null ? null : Number(stale), text: await answer.text() }
}

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}
