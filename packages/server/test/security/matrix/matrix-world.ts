import { randomUUID } from 'node:crypto'
import { KEY_ROLES, MEMBER_ROLES, type MemberRole } from '@seatwise/domain'
import { createApiKey, type Ledger, ownOrganizationOf, setMember } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import type { App } from '../../../src/http/http-server.ts'
import { makeApiKey } from '../../../src/identity/organizations/api-key.ts'
import { registerVisitor, registerWithRole } from '../../support/accounts.ts'
import { shortEvent } from '../../support/events.ts'
import { Cashier } from '../../support/payment.ts'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf } from '../../support/reservation.ts'
import { openRoomServer, RoomBench } from '../../support/room.ts'
import type { MatrixRoute } from './read-matrix.ts'

export interface Caller {
  readonly name: string
  readonly kind: 'account' | 'key' | 'nobody'
  /** In the organization; or `admin`, `buyer`, `guest`. */
  readonly role: string
  /** Of which organization: that of the subject, another one, or none. */
  readonly side: 'own' | 'other' | 'none'
  readonly token: string | null
}

export interface Asking {
  readonly about?: 'draft'
  /** Without a body. */
  readonly isBare?: boolean
}

export interface MatrixWorld {
  readonly app: App
  readonly callers: readonly Caller[]
  /** Calls a route about the things of the first organization. */
  ask(route: MatrixRoute, caller: Caller, asking?: Asking): Promise<{ status: number; where: string }>
  close(): Promise<void>
}

/** Two organizations with a member and a key of each role; the first one has one of everything. */
export async function openMatrixWorld(opened: Promise<Ledger> = openScratchLedger()): Promise<MatrixWorld> {
  const ledger = await opened
  const server = await openRoomServer(ledger)
  const bench = await RoomBench.open(server)
  const { app } = server
  const other = await registerWithRole(app, ledger, 'organizer')
  const [own, foreign] = [bench.organizer.id, other.id]
  const callers = [
    ...(await crewOf(app, ledger, own, 'own')),
    ...(await crewOf(app, ledger, foreign, 'other')),
    { name: 'an admin', kind: 'account', role: 'admin', side: 'none', token: bench.admin.authorization },
    {
      name: 'a buyer',
      kind: 'account',
      role: 'buyer',
      side: 'none',
      token: (await registerVisitor(app)).authorization,
    },
    { name: 'a guest', kind: 'account', role: 'guest', side: 'none', token: guestToken(bench) },
    { name: 'a stranger without a token', kind: 'nobody', role: 'nobody', side: 'none', token: null },
  ] as const
  const things = await makeThings(bench)
  return {
    app,
    callers,
    async ask(route, caller, { about, isBare = false } = {}) {
      const url = await addressOf(bench, things, route, about)
      const isPage = route.url.startsWith('/console')
      const hasBody = route.method !== 'GET' && route.method !== 'DELETE' && !isBare
      const answer = await app.inject({
        method: route.method as 'GET',
        url,
        headers: {
          ...{ 'idempotency-key': randomUUID(), 'sec-fetch-site': 'same-origin' },
          ...(caller.token === null ? {} : { authorization: caller.token }),
          ...(hasBody && isPage ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        // A field that no route knows: whoever is let in gets no further than the validation of the body.
        ...(hasBody ? { payload: isPage ? 'notAFieldOfAnyRoute=1' : { notAFieldOfAnyRoute: 1 } } : {}),
      })
      return { status: answer.statusCode, where: `${answer.body.slice(0, 120)}` }
    },
    async close() {
      await server.close()
      await ledger.close()
    },
  }
}

async function crewOf(app: App, ledger: Ledger, ownerId: string, side: Caller['side']): Promise<Caller[]> {
  const organizationId = await ownOrganizationOf(ledger.db, ownerId, ownerId)
  const crew: Caller[] = []
  for (const role of MEMBER_ROLES) {
    const { id, authorization } = await registerVisitor(app)
    await setMember(ledger.db, { organizationId, userId: id, role }, ownerId)
    crew.push({ name: `${role}, ${side}`, kind: 'account', role, side, token: authorization })
  }
  for (const role of KEY_ROLES) {
    const token = await makeKey(ledger, { organizationId, role, madeBy: ownerId })
    crew.push({ name: `key of a ${role}, ${side}`, kind: 'key', role, side, token })
  }
  return crew
}

async function makeKey(
  ledger: Ledger,
  of: { organizationId: string; role: Exclude<MemberRole, 'owner'>; madeBy: string },
): Promise<string> {
  const { key, hash, ending } = makeApiKey()
  const facts = { id: randomUUID(), name: 'Till', hash, ending, expiresAt: null, ...of }
  await createApiKey(ledger.db, facts, 100)
  return `Bearer ${key}`
}

const guestToken = ({ server }: RoomBench): string =>
  `Bearer ${server.services.identity.tokens.issue({ id: randomUUID(), role: 'guest' }).accessToken}`

interface Things {
  readonly eventId: string
  readonly draftId: string
  readonly roomId: string
  readonly organizationId: string
  readonly purchaseId: string
  readonly accountId: string
}

async function makeThings(bench: RoomBench): Promise<Things> {
  const as = bench.organizer.authorization
  const sale = await bench.sale(OPEN_FLOOR, HOUSE)
  const alice = await Buyer.admitted(bench, sale)
  const [seat = ''] = await seatIdsOf(bench, sale)
  const { id } = await alice.reserved({ seatIds: [seat] }, 'alice-reserves')
  const purchase = await (await Cashier.open(bench)).paid(alice, id)
  const draft = await bench.call('POST', '/api/events', { as, body: shortEvent({ state: 'draft' }) })
  const room = await bench.call('POST', '/api/rooms', { as, body: { name: 'Door', target: 'https://shop.example/' } })
  const { organizationId } = draft.json<{ organizationId: string }>()
  return {
    eventId: sale.split('/').at(-1) ?? '',
    draftId: draft.json<{ id: string }>().id,
    roomId: room.json<{ id: string }>().id,
    organizationId,
    purchaseId: purchase.id,
    accountId: bench.organizer.id,
  }
}

async function addressOf(
  bench: RoomBench,
  things: Things,
  { url, on }: MatrixRoute,
  about: 'draft' | undefined,
): Promise<string> {
  const idOf = async (): Promise<string> => {
    if (on === 'webhook') return await makeWebhook(bench)
    if (on === 'organization' || url.includes('/organizations/')) return things.organizationId
    if (on === 'purchase' || url.includes('/purchases/')) return things.purchaseId
    if (url.includes('/rooms/')) return things.roomId
    if (url.includes('/events/')) return about === 'draft' ? things.draftId : things.eventId
    return url.includes('/users/') ? things.accountId : randomUUID()
  }
  const filled = url.includes(':id') ? url.replace(':id', await idOf()) : url
  // What is inside of the first thing is not there; a number fits every kind of name.
  return filled.replace(/:(userId|keyId|codeId|purchaseId|invitationId)/, randomUUID()).replace(/:\w+/g, '999999')
}

/** Deleting one is no reason to have none for the next caller. */
async function makeWebhook(bench: RoomBench): Promise<string> {
  const made = { as: bench.organizer.authorization, body: { url: 'https://hooks.example/' } }
  const answer = await bench.call('POST', '/api/webhooks', made)
  if (answer.statusCode === 201) return answer.json<{ id: string }>().id
  const listed = await bench.call('GET', '/api/webhooks', { as: bench.organizer.authorization })
  return listed.json<{ items: { id: string }[] }>().items[0]?.id ?? ''
}
