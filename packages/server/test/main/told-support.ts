import { randomUUID } from 'node:crypto'
import { expectFields, shape, waitUntil } from '@seatwise/testbench'
import { expect } from 'vitest'
import type { Answer } from '../support/events.ts'
import { type Heard, PushClient, privateOf } from '../support/realtime.ts'
import type { CallOptions, RoomBench } from '../support/room.ts'

/** What a visitor is told about a ticket, on any route. */
export type Told = Readonly<Record<string, unknown>> & { readonly status: string; readonly ticketId: string }
const TOLD = shape.fields({ status: shape.text, ticketId: shape.text })
type Joined = Told & { readonly ticketToken: string; readonly accessToken?: string }

/** The field that may differ: when to ask again is random for each answer. */
const RANDOM = ['pollAfterMs']
/** The estimate runs with the clock. */
const RUNNING = ['eta', 'estimatedWaitSeconds']
const TOKENS = ['ticketToken', 'accessToken', 'expiresIn']
const ETA_SECONDS_OFF_MAX = 2

/** One visitor who asks in every way there is: joins again, asks for the status, opens the page, and listens. */
export class Listener {
  readonly #bench: RoomBench
  readonly #url: string
  readonly sale: string
  readonly name: string
  /** The devices of one visitor share the identity; a guest has it from joining. */
  authorization: string | null
  ticket = ''
  ticketId = ''
  /** The place came from another device: joining again would take it back. */
  isSecondDevice = false
  /** Those of tickets that were left behind are closed with the others. */
  readonly ears: PushClient[] = []

  constructor(bench: RoomBench, url: string, sale: string, name: string, authorization: string | null) {
    this.#bench = bench
    this.#url = url
    this.sale = sale
    this.name = name
    this.authorization = authorization
  }

  async join(): Promise<Joined> {
    const as = this.authorization === null ? {} : { as: this.authorization }
    const answer = await this.ask('POST', `${this.sale}/queue/join`, { ...as, body: {} })
    const joined = answer.json<Joined>()
    if (answer.statusCode !== 200) throw new Error(`Could not join: ${answer.body}`)
    if (joined.accessToken !== undefined) this.authorization = `Bearer ${joined.accessToken}`
    const takenBackFrom = this.isSecondDevice && joined.ticketId === this.ticketId ? this.ear : null
    this.isSecondDevice = false
    await this.#hold(joined, takenBackFrom !== null)
    await takenBackFrom?.hear('UNSUBSCRIBED', ({ code }) => code === 'TICKET_MOVED')
    return joined
  }

  /** The same visitor on another device. */
  async handOver(): Promise<Joined> {
    const given = await this.act('POST', '/queue/handover')
    if (given.statusCode !== 200) throw new Error(`No code: ${given.body}`)
    const { code } = given.json<{ code: string }>()
    const answer = await this.ask('POST', `${this.sale}/queue/handover/accept`, { body: { code } })
    if (answer.statusCode !== 200) throw new Error(`The code was not accepted: ${answer.body}`)
    const before = { ticket: this.ticket, ear: this.ear }
    const joined = answer.json<Joined>()
    this.isSecondDevice = true
    await this.#hold(joined, true)
    // The first device is out, by every way of asking.
    expect((await this.ask('GET', `${this.sale}/queue/status`, { ticket: before.ticket })).json()).toMatchObject({
      statusCode: 401,
      code: 'TICKET_MOVED',
    })
    expect(await this.page(before.ticket)).toMatchObject({ status: 'moved' })
    await before.ear.hear('UNSUBSCRIBED', ({ code: told }) => told === 'TICKET_MOVED')
    return joined
  }

  async status(): Promise<Told> {
    return (await this.ask('GET', `${this.sale}/queue/status`, { ticket: this.ticket })).json<Told>()
  }

  /** What the waiting page holds for its script, and shows without one. */
  async page(ticket: string = this.ticket): Promise<Told> {
    const headers = { cookie: `seatwise-tickets=${ticket}`, 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
    const { body } = await this.ask('GET', `${this.sale.replace('/api', '')}/wait`, { headers })
    const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(body)?.[1]
    if (data === undefined) throw new Error(`A page without a state: ${body.slice(0, 500)}`)
    return expectFields(JSON.parse(data), { place: TOLD }).place
  }

  act(method: 'POST' | 'DELETE', path: string): Promise<Answer> {
    return this.ask(method, `${this.sale}${path}`, { ticket: this.ticket })
  }

  async buy(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    const as = this.authorization ?? ''
    return await this.ask('POST', path, { as, body, headers: { 'idempotency-key': randomUUID(), ...headers } })
  }

  ask(method: 'GET' | 'POST' | 'DELETE', url: string, options: CallOptions = {}): Promise<Answer> {
    return this.#bench.call(method, url, options)
  }

  get ear(): PushClient {
    const ear = this.ears.at(-1)
    if (ear === undefined) throw new Error('Nothing to listen to before joining')
    return ear
  }

  /** A device that gets the place from another one subscribes again. */
  async #hold({ ticketId, ticketToken }: Joined, hasMoved = false): Promise<void> {
    const isSameTicket = this.ticketId === ticketId && !hasMoved
    this.ticket = ticketToken
    if (isSameTicket && this.ears.length > 0) return
    this.ticketId = ticketId
    const ear = await PushClient.open(this.#url)
    this.ears.push(ear)
    await ear.subscribed([privateOf(this.sale, { ticketId })], { ticketToken })
  }
}

/** Every route gives the same answer. Returns that answer. */
export async function expectToldTheSame(visitor: Listener, joined: Joined | null = null): Promise<Told> {
  const { status, page, again } = await atOneMoment(visitor)
  // Between joining and asking the turn may have come.
  for (const answer of [joined, again])
    if (answer !== null && answer.seq === status.seq) expectSameAnswer(answer, status)
  // Of the first answer the estimate may be a second old.
  if (again !== null) expectSameEta(again.eta, status.eta)
  expectSamePage(page, status)
  const isOvertaken = (await expectSamePush(visitor, status)) === 'newer'
  return isOvertaken ? await expectToldTheSame(visitor) : status
}

/** All answers between two of the same entry of the log: nothing happened in between. */
async function atOneMoment(visitor: Listener): Promise<{ status: Told; page: Told; again: Joined | null }> {
  return await waitUntil('nothing happens while the visitor asks', async () => {
    const before = await visitor.status()
    const isLive = before.status !== 'completed' && before.status !== 'expired'
    const again = isLive && !visitor.isSecondDevice ? await visitor.join() : null
    const page = await visitor.page()
    const status = await visitor.status()
    const isStill = JSON.stringify(constant(before)) === JSON.stringify(constant(status))
    // With the next second the estimate may become known, or unknown, or follow a visitor who has left the floor.
    const isEtaStill = etaOf(before).every((seconds, index) => isNear(seconds, etaOf(status)[index] ?? null))
    return isStill && isEtaStill && (again === null || again.seq === status.seq) ? { status, page, again } : null
  })
}

function expectSameAnswer(answer: Joined, status: Told): void {
  const told = Object.fromEntries(Object.entries(answer).filter(([field]) => !TOKENS.includes(field)))
  expect(Object.keys(told).sort()).toEqual(Object.keys(status).sort())
  expect(constant(told)).toEqual(constant(status))
}

const constant = (told: object) =>
  Object.fromEntries(Object.entries(told).filter(([field]) => ![...RANDOM, ...RUNNING].includes(field)))

interface Eta {
  readonly p50: number | null
  readonly p90: number | null
  readonly reason: string | null
}

const etaOf = ({ eta }: Told): readonly (number | null)[] => {
  const { p50, p90 } = (eta ?? { p50: null, p90: null }) as Eta
  return [p50, p90]
}

const isNear = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) <= ETA_SECONDS_OFF_MAX

function expectSameEta(one: unknown, other: unknown): void {
  const [first, second] = [one, other] as Eta[]
  // A reason explains a rise since the last answer: the clock may have raised the estimate between two of them.
  if (first?.reason !== null && second?.reason !== null) expect(first?.reason).toEqual(second?.reason)
  for (const field of ['p50', 'p90'] as const) {
    expect(first?.[field] === null).toBe(second?.[field] === null)
    expect(Math.abs((first?.[field] ?? 0) - (second?.[field] ?? 0))).toBeLessThanOrEqual(ETA_SECONDS_OFF_MAX)
  }
}

/** The page holds what its script needs of the same; never the pass, which pages fetch when they need it. */
function expectSamePage(page: Told, status: Told): void {
  const common = pick(status, 'status', 'ticketId', 'name', 'avatar', 'joinedAt')
  switch (status.status) {
    case 'waiting':
      expect(page).toMatchObject({
        ...common,
        ...pick(status, 'rank', 'position', 'exact', 'queueLength'),
        away: status.away === true,
      })
      expectSameEta(page.eta, status.eta)
      return
    case 'admitted':
      expect(page).toMatchObject({ ...common, ...pick(status, 'expiresAt', 'extended') })
      return
    case 'active':
      expect(page).toMatchObject({ ...common, ...pick(status, 'expiresAt', 'extended'), activeToken: '' })
      expect(page.reservation).toEqual(status.reservation ?? null)
      return
    case 'expired':
      expect(page).toMatchObject({ ...common, reason: status.reason })
      return
    default:
      expect(page).toMatchObject(common)
  }
}

function pick(told: Told, ...fields: string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, told[field]]))
}

/** The last word of push about the ticket is that of the status, or a newer one: the turn may come at any moment. */
async function expectSamePush({ ear }: Listener, status: Told): Promise<'same' | 'newer'> {
  if (status.status === 'waiting' && status.away === true) return 'same' // Push tells nothing of that.
  const expected = pushOf(status)
  const heard = await waitUntil(`push tells ${JSON.stringify(expected)}`, () => {
    const last = ear.heard.filter(({ type }) => TOLD_BY_PUSH.includes(type)).at(-1)
    // The end of a reservation makes the client ask: the message does not contain the time left.
    if (last !== undefined && GONE.includes(last.type) && 'expiresAt' in expected) return 'same'
    if (last !== undefined && fits(last, expected)) return 'same'
    if (last !== undefined && Number(last.seq) > Number(status.seq)) return 'newer'
    throw new Error(`Told last ${JSON.stringify(last)}, after ${ear.heard.map(({ type }) => type).join(', ')}`)
  })
  // A listener that connected after the reservation has heard nothing of it.
  if (heard === 'newer' || status.reservation === undefined || ear.of('RESERVATION_CREATED').length === 0) return heard
  await waitUntil('push tells the reservation', () => {
    expect(ear.of('RESERVATION_CREATED').at(-1)?.reservation).toEqual(status.reservation)
    return true
  })
  return heard
}

const GONE = ['RESERVATION_CANCELED', 'RESERVATION_EXPIRED']
const TOLD_BY_PUSH = ['POSITION', 'ACTIVE', 'ENDED', ...GONE]

function pushOf(status: Told): Record<string, unknown> {
  switch (status.status) {
    case 'waiting':
      return { type: 'POSITION', ...pick(status, 'rank', 'position') }
    case 'admitted':
    case 'active':
      return { type: 'ACTIVE', ...pick(status, 'status', 'expiresAt') }
    default:
      return { type: 'ENDED', status: status.status, reason: status.reason ?? null }
  }
}

function fits(heard: Heard, expected: Record<string, unknown>): boolean {
  return Object.entries(expected).every(([field, value]) => heard[field] === value)
}
