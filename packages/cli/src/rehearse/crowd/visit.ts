import type { Outcome } from '../measure/measurements.ts'
import type { Sale } from '../sale/sale.ts'
import type { Reply, World } from './caller.ts'
import { exponential } from './seeded-random.ts'
import type { Crowd, Temper } from './temper.ts'
import { isObject, type Standing, standingIn, type Visitor } from './visitor.ts'

export interface Visit {
  readonly world: World
  readonly sale: Sale
  readonly crowd: Crowd
  readonly temper: Temper
  readonly visitor: Visitor
  /** When they came, by `performance.now`. */
  readonly arrivedAtMs: number
}

/** How often a bot asks, whatever it is told. */
const BOT_POLL_MS = 300
const BOT_JOINS = 8
/** A visitor whose poll got no answer retries after about this long; the server keeps the place. */
const LOST_POLL_MS = 2_000
/** How long a visitor on the floor waits before the next attempt to get a seat. */
const TRY_AGAIN_MS = 1_000

/** One person from arriving to going away, however that ends. */
export async function goThrough(visit: Visit): Promise<Outcome> {
  const { world, visitor, temper } = visit
  let standing: Standing | Outcome | null = await arrive(visit)
  if (typeof standing === 'string') return standing
  if (temper.isBot) await misbehave(visit)
  if (temper.hasTwoTabs) void openSecondTab(visit)
  let isInside = false
  while (!world.isOver) {
    if (standing !== null && (standing.status === 'admitted' || standing.status === 'active')) {
      if (!isInside) enterFloor(visit)
      isInside = true
      const outcome = await onFloor(visit, standing)
      if (outcome !== null) return outcome
    } else if (standing !== null && standing.status !== 'waiting') {
      return endOf(standing)
    }
    const outcome = await waitForNews(visit, standing)
    if (outcome !== null) return outcome
    standing = await visitor.look()
  }
  return 'unfinished'
}

/** A function of its own, so that a waiting visitor does not keep the whole answer in memory. */
async function arrive({ world, visitor, arrivedAtMs }: Visit): Promise<Standing | Outcome> {
  const joined = await visitor.join()
  const tookMs = joined.kind === 'ok' ? performance.now() - arrivedAtMs : null
  world.measurements.tookPlace({ isAtOnce: joined.attempts === 1, tookMs })
  if (joined.kind === 'ok') return standingIn(joined.body)
  if (joined.kind === 'unanswered') return 'unanswered'
  return joined.code === 'SOLD_OUT' ? 'sold_out' : 'refused'
}

function enterFloor({ world, arrivedAtMs }: Visit): void {
  world.measurements.waited.add(performance.now() - arrivedAtMs)
  world.measurements.now().admissions += 1
}

function endOf({ status, reason }: Standing): Outcome {
  if (status === 'completed') return 'bought'
  switch (reason) {
    case 'sold_out':
      return 'sold_out'
    case 'no_show':
      return 'no_show'
    case 'timeout':
      return 'timed_out'
    default:
      return 'left'
  }
}

/** Sleeps until the next poll, unless their patience ends before; then they go, with or without saying so. */
async function waitForNews(visit: Visit, standing: Standing | null): Promise<Outcome | null> {
  const { world, visitor, temper, arrivedAtMs } = visit
  const toldMs = standing === null ? LOST_POLL_MS : standing.pollAfterMs
  const pollMs = temper.isBot ? BOT_POLL_MS : toldMs
  const patienceLeftMs =
    temper.churn === null ? Number.POSITIVE_INFINITY : arrivedAtMs + temper.churn.patienceMs - performance.now()
  await world.wheel.sleep(Math.max(0, Math.min(pollMs, patienceLeftMs)))
  if (temper.churn === null || patienceLeftMs > pollMs || standing?.status !== 'waiting') return null
  if (!temper.churn.saysGoodbye) return 'vanished'
  await visitor.leave()
  return 'left'
}

/** What they do when it is their turn; null: look again how things stand. */
async function onFloor(visit: Visit, standing: Standing): Promise<Outcome | null> {
  const { visitor, temper } = visit
  const farewell = temper.churn?.farewell
  if (farewell === 'does not come') return 'vanished'
  if (standing.status === 'admitted' && !(await visitor.enter())) return null
  if (farewell === 'leaves') {
    await visitor.leave()
    return 'left'
  }
  if (!visitor.hasPass) return null
  await think(visit)
  const reservation = await reserveSomething(visit)
  if (reservation === null || reservation === 'sold_out') return await emptyHanded(visit, reservation)
  if (farewell === 'reserves and vanishes') return 'vanished'
  if (farewell === 'reserves and leaves') {
    await visitor.cancel(reservation.id)
    await visitor.leave()
    return 'left'
  }
  return await buy(visit, reservation)
}

async function emptyHanded({ world, visitor }: Visit, reason: 'sold_out' | null): Promise<Outcome | null> {
  if (reason === 'sold_out') {
    await visitor.leave()
    return 'sold_out'
  }
  await world.wheel.sleep(TRY_AGAIN_MS)
  return null
}

interface Reserved {
  readonly id: string
  readonly seats: number
}

/** As many seats as they want of any type; fewer where there are fewer. */
async function reserveSomething({ sale, visitor, temper }: Visit): Promise<Reserved | 'sold_out' | null> {
  const first = Math.floor(temper.random() * sale.seatTypeIds.length)
  const types = [...sale.seatTypeIds.slice(first), ...sale.seatTypeIds.slice(0, first)]
  let isSoldOut = false
  for (const type of types) {
    for (const quantity of new Set([temper.quantity, 1])) {
      const reply: Reply = await visitor.reserve(type, quantity)
      if (reply.kind === 'ok') {
        const seats = Array.isArray(reply.body.items) ? reply.body.items.length : quantity
        return { id: String(reply.body.id), seats }
      }
      isSoldOut = reply.kind === 'refused' && reply.code === 'SOLD_OUT'
      if (reply.kind === 'refused' && reply.code === 'NOT_ACTIVE') return null
    }
  }
  return isSoldOut ? 'sold_out' : null
}

async function buy(visit: Visit, { id, seats }: Reserved): Promise<Outcome | null> {
  const { world, sale, visitor, temper } = visit
  if (temper.isSlowPayer) await world.wheel.sleep(sale.reservationMs * (0.4 + 0.4 * temper.random()))
  else await think(visit)
  if (temper.declinedFirst && !sale.isFree) await visitor.pay(id, 'sandbox_declined')
  const paid = await visitor.pay(id, 'sandbox_ok')
  if (paid.kind === 'ok' && paid.body.status === 'PAID') {
    const bought = isObject(paid.body.reservation) ? paid.body.reservation.items : undefined
    const count = Array.isArray(bought) ? bought.length : seats
    world.measurements.seatsBought += count
    world.measurements.now().sold += count
    return 'bought'
  }
  if (paid.kind === 'refused') return 'timed_out'
  return paid.kind === 'unanswered' ? 'unanswered' : null
}

async function think({ world, crowd, temper }: Visit): Promise<void> {
  await world.wheel.sleep(Math.min(exponential(temper.random, crowd.thinkMs), crowd.thinkMs * 4))
}

/** The same person with the same account in another tab: the same ticket, and twice the questions. */
async function openSecondTab(visit: Visit): Promise<void> {
  const { world, visitor } = visit
  const before = visitor.ticket
  await joinAgain(visit, before)
  let standing = await visitor.look()
  while (!world.isOver && standing?.status === 'waiting') {
    await world.wheel.sleep(standing.pollAfterMs)
    standing = world.isOver ? null : await visitor.look()
  }
}

/** Joins again and again, and tries to reserve without having waited. None of it may help. */
async function misbehave(visit: Visit): Promise<void> {
  const { world, sale, visitor } = visit
  const before = visitor.ticket
  await Promise.all(Array.from({ length: BOT_JOINS }, () => joinAgain(visit, before)))
  const [type] = sale.seatTypeIds
  if (type === undefined || visitor.hasPass) return
  for (const pass of [null, FORGED_PASS]) {
    const reply = await visitor.reserve(type, 1, pass)
    if (reply.kind === 'ok') world.measurements.breach('A seat was reserved without a pass')
  }
}

async function joinAgain({ world, sale, visitor, arrivedAtMs }: Visit, before: number | undefined): Promise<void> {
  const reply = await visitor.join()
  if (reply.kind !== 'ok') return
  world.measurements.repeatedJoins += 1
  const { status } = standingIn(reply.body)
  // If the turn came while an answer was delayed, the ticket may have ended since, and another one is right.
  const mayHaveEnded = performance.now() - arrivedAtMs >= (sale.claimMs || sale.sessionMs)
  if (status === 'waiting' && visitor.isWaiting && visitor.ticket !== before && !mayHaveEnded) {
    world.measurements.breach(`Joining again drew ticket ${visitor.ticket} beside ticket ${before}`)
  }
}

/** A token that claims to use no signature at all. */
const FORGED_PASS = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"fence":1}').toString('base64url')}.x`
