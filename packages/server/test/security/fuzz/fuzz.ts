import type { AddressInfo } from 'node:net'
import { setMember } from '@seatwise/ledger'
import { signInHeader } from '../../support/accounts.ts'
import { type JsonSchema, type Operation, operationsOf } from '../../support/openapi.ts'
import { seatIdsOf } from '../../support/reservation.ts'
import { isOwnMethod, victimsUrl, type World } from '../security-world.ts'
import { type Call, type Heard, openCaller } from './call.ts'
import type { Known } from './generate.ts'
import { judge } from './judge.ts'
import { createRandom } from './random.ts'
import { type Caller, writeCall } from './write-call.ts'

export interface FuzzReport {
  readonly calls: number
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** Routes that let at least one call through. */
  readonly reached: ReadonlySet<string>
  readonly operations: number
  readonly problems: readonly string[]
}

const CONNECTIONS = 6
/** Calls end sessions and take roles away: all callers sign in again after so many. */
const CALLS_PER_CAST = 250
const PROBLEMS_MAX = 20

/** Calls every route of a server that listens, again and again, with every role and without one. */
export async function fuzz(world: World, { seed, calls }: { seed: number; calls: number }): Promise<FuzzReport> {
  const { app } = world.bench.server
  const random = createRandom(seed)
  const operations = [...(await operationsOf(app)), ...pagesOf(world)]
  const known = await knownOf(world)
  const caller = openCaller((app.server.address() as AddressInfo).port, CONNECTIONS)
  const statuses = new Map<number, number>()
  const reached = new Set<string>()
  const problems: string[] = []
  const hear = async (operation: Operation, call: Call): Promise<void> => {
    const heard = await caller
      .call(call)
      .catch((error: Error): Heard => ({ status: 0, headers: {}, body: error.message }))
    statuses.set(heard.status, (statuses.get(heard.status) ?? 0) + 1)
    if (heard.status < 400) reached.add(`${operation.method} ${operation.url}`)
    const problem = heard.status === 0 ? `no answer: ${heard.body}` : judge(heard)
    if (problem !== null) problems.push(`${problem}: ${JSON.stringify(call)} → ${heard.body.slice(0, 300)}`)
  }
  let cast: Caller[] = []
  for (let done = 0; done < calls && problems.length < PROBLEMS_MAX; done += CONNECTIONS) {
    if (Math.floor(done / CALLS_PER_CAST) !== Math.floor((done - CONNECTIONS) / CALLS_PER_CAST))
      cast = await castOf(world)
    // Written in turn and sent together, so that the seed alone decides what is sent.
    const batch = Array.from({ length: CONNECTIONS }, () => {
      const operation = random.pick(operations)
      return { operation, call: writeCall(random, known, operation, random.pick(cast)) }
    })
    await Promise.all(batch.map(({ operation, call }) => hear(operation, call)))
  }
  caller.close()
  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  return { calls: sent, statuses, reached, operations: operations.length, problems }
}

/** Pages are in no API description: the router has their schemas. */
function pagesOf({ rules }: World): Operation[] {
  const pages = rules.filter((rule) => isOwnMethod(rule) && (rule.schema as { hide?: boolean }).hide === true)
  return pages.map(({ method, url, schema }) => ({
    ...{ method, url, parameters: [], isForm: true },
    body: (schema.body as JsonSchema | undefined) ?? null,
  }))
}

/** A caller without a token and one of every role, signed in again and with their first role. */
async function castOf({ bench, olivia, mallory, staff, admin, alice, organizationId }: World): Promise<Caller[]> {
  const { app, ledger, services } = bench.server
  const { ticket, pass } = alice
  const roles = [
    [staff, 'staff'],
    [mallory, 'organizer'],
    [olivia, 'organizer'],
    [admin, 'admin'],
  ] as const
  // A call may have given her a lower role, which takes her organization away.
  await setMember(ledger.db, { organizationId, userId: olivia.id, role: 'owner' }, olivia.id)
  const tokens: (string | null)[] = [null, alice.authorization, bench.buyer()]
  for (const [{ id, email }, role] of roles) {
    await ledger.db.updateTable('users').set({ role }).where('id', '=', id).execute()
    services.identity.actors.forget(id)
    tokens.push(await signInHeader(app, email))
  }
  // The organiser of the sale and the admin get furthest.
  return [...tokens, ...tokens.slice(-2), ...tokens.slice(-2), ...tokens.slice(-2)].map((authorization) => ({
    authorization,
    ticket,
    pass,
  }))
}

async function knownOf(world: World): Promise<Known> {
  const seatIds = await seatIdsOf(world.bench, world.sale)
  const { eventId, roomId, purchase, webhookId, olivia, freeSeatId } = world
  const ids = [
    eventId,
    roomId,
    purchase.id,
    purchase.reservation.id,
    purchase.etickets[0]?.id ?? '',
    webhookId,
    olivia.id,
  ]
  const routes = world.rules.filter(({ url }) => url.includes(':'))
  // A valid first parameter of a path.
  const right = routes.map(({ url }): [string, string[]] => {
    const first = /:\w+/.exec(url)?.[0] ?? ''
    const before = url.slice(0, url.indexOf(first))
    return [`${url} ${first}`, [victimsUrl(world, url).slice(before.length).split('/', 1)[0] ?? '']]
  })
  return {
    ids: [...ids, ...seatIds.slice(0, 5), '00000000-0000-4000-8000-000000000000'],
    values: {
      ...Object.fromEntries(right),
      seatIds: [[freeSeatId], seatIds.slice(4, 6)],
      paymentMethod: ['sandbox_ok', 'sandbox_declined', 'sandbox_3ds'],
      eventId: [eventId],
      reservationId: [purchase.reservation.id],
      channels: [`event:${eventId}:public`, `room:${roomId}:public,event:${eventId}:public`],
      currency: ['EUR', 'KRW'],
      // A call may take the admin's own role away; it comes back only after many calls.
      role: ['buyer', 'staff', 'organizer'],
    },
  }
}
