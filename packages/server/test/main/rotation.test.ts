import { randomBytes, randomUUID } from 'node:crypto'
import { createWebhook, draws, type Ledger, readConnector, readWebhook, saveConnector } from '@seatwise/ledger'
import { openScratchLedger, seededRandom, suiteSeed, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebhookSecrets } from '../../src/delivery/webhooks/webhook-secret.ts'
import { sealSharedSecretsAgain } from '../../src/main/seal-again.ts'
import { createConnectorSecrets } from '../../src/rooms/connectors/connector-secrets.ts'
import { createDrawKit } from '../../src/rooms/fair-start/draw-kit.ts'
import { OPEN_FLOOR, type WireReservation } from '../support/reservation.ts'
import { RoomBench, type RoomServer } from '../support/room.ts'
import { Client, Deployment } from './rotation-support.ts'

const VISITORS = 240
const CAPACITY = 60
const RESERVED = 40
const PAID = 20
const POLLING_AT_ONCE = 6
const DAY_MS = 86_400_000
const ROOM = { ...OPEN_FLOOR, capacity: CAPACITY, burst: CAPACITY, sessionSeconds: 600, reservationSeconds: 600 }

interface Told {
  status: string
  ticketId: string
  place: number
}
interface Purchase {
  id: string
  status: string
  etickets: { id: string; code: string }[]
}

/** What one visitor was told before the rotation began. */
interface Before {
  readonly client: Client
  readonly told: Told
  reservation?: { readonly key: string; readonly body: object; readonly answer: WireReservation }
  purchase?: Purchase
}

describe('rotating secrets and signing keys in an open sale', { timeout: 120_000 }, () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)]
  let ledger: Ledger
  let deployment: Deployment
  let staff: Client
  let sale: string
  let typeId: string
  /** Two clients that keep their first tokens and ignore renewed ones. */
  let deaf: Before[]
  let visitors: Before[]
  /** Calls that were answered otherwise than they should have been. */
  const losses: string[] = []

  beforeAll(async () => {
    ledger = await openScratchLedger()
    deployment = await Deployment.open(ledger, 2, [older], seededRandom(suiteSeed()))
    const [server] = deployment.servers
    if (server === undefined) throw new Error('No server')
    const bench = await RoomBench.open(server)
    staff = new Client(deployment, { accessToken: bench.admin.authorization.slice('Bearer '.length) })
    sale = await bench.sale({ ...ROOM, guests: true, guestsPerAddress: 0 }, { totalSeats: 400 })
    typeId = (await bench.call('GET', sale)).json<{ seatTypes: { id: string }[] }>().seatTypes[0]?.id ?? ''
    const accountToken = () => bench.buyer('Ada').slice('Bearer '.length)
    visitors = await Promise.all(
      Array.from({ length: VISITORS }, async (_, index) => {
        const client = new Client(deployment, index % 2 === 0 ? {} : { accessToken: accountToken() })
        return await arrive(client)
      }),
    )
    deaf = await Promise.all(
      Array.from({ length: 2 }, () =>
        arrive(new Client(deployment, { accessToken: accountToken(), takesRenewed: false })),
      ),
    )
    await Promise.all(onFloor().slice(0, RESERVED).map(reserve))
    await Promise.all(
      onFloor()
        .slice(0, PAID)
        .map(async (visitor) => expect(await pay(visitor)).toBe('PAID')),
    )
    // From now on admission is paused: what changes is only what the rotation changes.
    expect((await staffCall('PATCH', `${sale}/room`, { paused: true })).statusCode).toBe(200)
    for (const visitor of visitors) Object.assign(visitor, { told: await look(visitor.client) })
  })
  afterAll(async () => {
    await deployment?.close()
    await ledger?.close()
  })

  const onFloor = () => visitors.filter(({ client }) => client.pass !== undefined)

  async function arrive(client: Client): Promise<Before> {
    const joined = await client.join(sale)
    expect(joined.statusCode).toBe(200)
    const before = joined.json<Told & { rank: number }>()
    if (before.place <= CAPACITY)
      await waitUntil('they are let in', async () => (await look(client)).status === 'active')
    return { client, told: before }
  }
  async function look(client: Client): Promise<Told> {
    const { status, ticketId, place } = (await client.look(sale)).json<Told>()
    return { status, ticketId, place }
  }
  async function reserve(visitor: Before): Promise<void> {
    const [key, body] = [randomUUID(), { seatTypeId: typeId, quantity: 1 }]
    const answer = await visitor.client.call('POST', `${sale}/reservations`, body, key)
    expect(answer.statusCode).toBe(201)
    visitor.reservation = { key, body, answer: answer.json<WireReservation>() }
  }
  async function pay(visitor: Before): Promise<string> {
    const reservationId = visitor.reservation?.answer.id
    await visitor.client.call('PATCH', `/api/reservations/${reservationId}`, { email: 'ada@example.com' })
    const body = { reservationId, paymentMethod: 'sandbox_ok' }
    visitor.purchase = (await visitor.client.call('POST', '/api/purchases', body)).json<Purchase>()
    return visitor.purchase.status
  }
  const staffCall = (method: 'PATCH' | 'POST', url: string, payload: object) =>
    deployment.ask({ method, url, payload, headers: { authorization: `Bearer ${staff.accessToken}` } })

  /** All visitors poll their position, and the staff the room's state, until the work is done. */
  async function underLoad(present: readonly Before[], work: () => Promise<void>): Promise<void> {
    let isOver = false
    const poll = async (worker: number) => {
      for (let index = worker; !isOver && losses.length === 0; index += POLLING_AT_ONCE) {
        await expectPlace(present[index % present.length] as Before)
        const watched = await staff.call('GET', `${sale}/queue/stats`)
        if (watched.statusCode !== 200) losses.push(`staff: ${watched.statusCode}`)
      }
    }
    const workers = Array.from({ length: POLLING_AT_ONCE }, (_, worker) => poll(worker))
    try {
      await work()
    } finally {
      isOver = true
      await Promise.all(workers)
    }
    // The operator waits until each of them was here again.
    for (const visitor of present) await expectPlace(visitor)
    await staff.call('GET', `${sale}/queue/stats`)
  }

  async function expectPlace({ client, told }: Before): Promise<void> {
    const answer = await client.look(sale)
    const { status, ticketId, place } = answer.json<Told>()
    if (ticketId === told.ticketId && place === told.place && status === told.status) return
    losses.push(`${answer.statusCode} ${answer.body.slice(0, 200)} instead of ${JSON.stringify(told)}`)
  }

  /** As time does it: a key is announced to all servers, and later the first one has signed its last. */
  async function rotateSigningKeys(): Promise<void> {
    const before = deployment.servers[0]?.services.identity.keys.signer().kid
    const change = ledger.db.updateTable('signing_keys')
    await change.set({ signs_until: new Date(Date.now() + 5 * DAY_MS) }).execute()
    for (const { services } of deployment.servers) await services.identity.keys.refresh()
    await change.set({ signs_until: new Date() }).where('generation', '=', 1).execute()
    await change.set({ signs_from: new Date() }).where('generation', '=', 2).execute()
    for (const { services } of deployment.servers) await services.identity.keys.refresh()
    expect(deployment.servers[0]?.services.identity.keys.signer().kid).not.toBe(before)
  }

  it('[A41] no visitor loses a place while two servers go through all steps and the signing key changes', async () => {
    expect(visitors.filter(({ told }) => told.status === 'waiting').length).toBeGreaterThan(VISITORS / 2)
    expect(onFloor().filter(({ told }) => told.status === 'active').length).toBeGreaterThanOrEqual(CAPACITY - PAID)
    const allVisitors = [...visitors, ...deaf]
    await underLoad(allVisitors, () => deployment.restartAll([older, newer]))
    await underLoad(allVisitors, rotateSigningKeys)
    await underLoad(allVisitors, () => deployment.restartAll([newer, older]))
    await underLoad(visitors, () => deployment.restartAll([newer]))
    expect(losses).toEqual([])
  })

  it('[A41] no visitor loses the floor, a reservation, a purchase or an e-ticket', async () => {
    const withPurchase = visitors.filter(({ purchase }) => purchase !== undefined)
    const pending = visitors.filter(({ reservation, purchase }) => reservation !== undefined && purchase === undefined)
    const choosing = onFloor().filter(({ reservation }) => reservation === undefined)
    expect([withPurchase.length, pending.length]).toEqual([PAID, RESERVED - PAID])
    expect(choosing.length).toBeGreaterThan(0)
    await Promise.all(choosing.map(reserve))
    for (const { client, reservation } of pending) {
      // The same key again is the same answer, also from servers that know another secret.
      const again = await client.call('POST', `${sale}/reservations`, reservation?.body, reservation?.key)
      expect([again.statusCode, again.json()]).toEqual([201, reservation?.answer])
    }
    const statuses = await Promise.all([...pending, ...choosing].map(pay))
    expect(new Set(statuses)).toEqual(new Set(['PAID']))
    for (const { client, purchase } of withPurchase) {
      const [eticket] = purchase?.etickets ?? []
      const shown = await client.call('GET', `/api/etickets/${eticket?.id}`)
      expect(shown.json()).toMatchObject({ id: eticket?.id, status: 'VALID' })
      // The code that was printed before the rotation still lets its owner in.
      expect((await staffCall('POST', '/api/checkin', { code: eticket?.code })).statusCode).toBe(200)
    }
  })

  it('[A41 control] a client that kept its first tokens is refused in the end, and finds its place by signing in again', async () => {
    for (const { client, told } of deaf) {
      expect((await client.look(sale)).statusCode).toBe(401)
      expect((await client.join(sale)).statusCode).toBe(401)
      const { sub } = JSON.parse(Buffer.from(client.accessToken?.split('.')[1] ?? '', 'base64url').toString())
      const { tokens } = (deployment.servers[0] as RoomServer).services.identity
      const again = new Client(deployment, { accessToken: tokens.issue({ id: sub, role: 'buyer' }).accessToken })
      expect((await again.join(sale)).json()).toMatchObject({ ticketId: told.ticketId, place: told.place })
    }
  })

  it('[A40] secrets that are shared with receivers and sites are moved under the first secret when a server starts', async () => {
    const secrets = [randomBytes(32), randomBytes(32)] as const
    const ownerId = (await ledger.db.selectFrom('users').select('id').executeTakeFirstOrThrow()).id
    const { shown, ...sealed } = createWebhookSecrets([secrets[0]], ledger).make(ownerId)
    const webhook = {
      id: ownerId,
      organizationId: null,
      ownerId,
      url: 'https://example.com/news',
      types: [],
      ...sealed,
    }
    await createWebhook(ledger.db, webhook, 10)
    const { id: roomId } = await ledger.db.selectFrom('rooms').select('id').executeTakeFirstOrThrow()
    const names = { roomId, kind: 'known-user-v3', customerId: 'customer', eventId: 'sale' } as const
    await saveConnector(ledger.db, { ...names, ...createConnectorSecrets([secrets[0]], ledger).seal(roomId, 'shared') })

    await sealSharedSecretsAgain(ledger, [secrets[1], secrets[0]])
    const [kept, connector] = [await readWebhook(ledger.db, ownerId), await readConnector(ledger.db, { roomId })]
    if (kept === null || connector === null) return expect.unreachable('they are gone')
    const secret = await createWebhookSecrets([secrets[1]], ledger).open(kept)
    expect(`whsec_${secret.toString('base64')}`).toBe(shown)
    return expect(await createConnectorSecrets([secrets[1]], ledger).open(connector)).toBe('shared')
  })

  it('[J79] the secret of a draw is moved under the first secret when a server starts, with the same commitment', async () => {
    const secrets = [randomBytes(32), randomBytes(32)] as const
    const { id: roomId } = await ledger.db.selectFrom('rooms').select('id').executeTakeFirstOrThrow()
    const commitment = await createDrawKit([secrets[0]], ledger).make(roomId)
    const before = await draws.readUnannounced(ledger.db, roomId)
    await sealSharedSecretsAgain(ledger, [secrets[1], secrets[0]])
    const after = await draws.readUnannounced(ledger.db, roomId)
    if (before === null || after === null) return expect.unreachable('it is gone')
    const older = createDrawKit([secrets[0]], ledger)
    expect(() => older.open(roomId, after)).toThrow('is gone')
    const secret = createDrawKit([secrets[1]], ledger).open(roomId, after)
    expect(secret).toEqual(older.open(roomId, before))
    return expect(after.commitment).toBe(commitment)
  })
})
