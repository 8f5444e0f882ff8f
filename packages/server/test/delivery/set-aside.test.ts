import { randomUUID } from 'node:crypto'
import { createWebhook, handOutNews } from '@seatwise/ledger'
import { beforeAll, expect, it } from 'vitest'
import { registerWithRole } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { buy, organizationOf } from '../support/news.ts'
import { query } from '../support/payment-time.ts'
import { forEachMode, type RoomBench } from '../support/room.ts'

interface Listed {
  items: { id: string; kind: string; type: string; problem: string; reservationId: string; url: string | null }[]
}

forEachMode('news that was set aside', (open) => {
  let bench: RoomBench
  let reservationId: string

  beforeAll(async () => {
    bench = await open()
    const { ledger } = bench.server
    const organizationId = await organizationOf(ledger, bench.organizer.id)
    const webhook = {
      id: randomUUID(),
      organizationId,
      ownerId: bench.organizer.id,
      url: 'https://receiver.example/',
      types: [],
    }
    await createWebhook(ledger.db, { ...webhook, sealedSecret: '-', sealedWith: '-' }, 10)
    reservationId = (await buy(ledger, { organizerId: bench.organizer.id })).reservationId
    await handOutNews(ledger.db, { newsMax: 100, mailTypes: [] })
    await query(
      ledger.db,
      `update deliveries set attempts = 12, given_up_at = clock_timestamp(), problem = 'It answered 500'`,
    )
  })

  const list = (as: string) => bench.call('GET', '/api/deliveries/set-aside', { as })
  const resend = (id: string, as: string) => bench.call('POST', `/api/deliveries/${id}/resend`, { as })

  it('[B43] is listed for its organiser and for admins, with the reason, and for no other account', async () => {
    const { app, ledger } = bench.server
    for (const as of [bench.organizer.authorization, bench.admin.authorization]) {
      const { items } = (await list(as)).json<Listed>()
      expect(items.map(({ type }) => type).sort()).toEqual(['purchase.paid', 'purchase.started', 'reservation.created'])
      expect(items[0]).toMatchObject({ kind: 'webhook', problem: 'It answered 500', reservationId })
      expect(items[0]?.url).toBe('https://receiver.example/')
    }
    const other = (await registerWithRole(app, ledger, 'organizer')).authorization
    expect((await list(other)).json<Listed>().items).toEqual([])
    expectError(await list(bench.buyer()), 403, 'FORBIDDEN')
    const [first] = (await list(bench.organizer.authorization)).json<Listed>().items
    expectError(await resend(first?.id ?? '', other), 404, 'NOT_FOUND')
    expectError(await resend(randomUUID(), bench.admin.authorization), 404, 'NOT_FOUND')
    expectError(await resend('nonsense', bench.admin.authorization), 404, 'NOT_FOUND')
  })

  it('[B43] is tried again once when an operator asks for it', async () => {
    const { items } = (await list(bench.organizer.authorization)).json<Listed>()
    const id = items[0]?.id ?? ''
    expect((await resend(id, bench.organizer.authorization)).statusCode).toBe(202)
    expectError(await resend(id, bench.organizer.authorization), 404, 'NOT_FOUND')
    expect((await list(bench.organizer.authorization)).json<Listed>().items).toHaveLength(items.length - 1)
    const delivery = await bench.server.ledger.db
      .selectFrom('deliveries')
      .select(['attempts', 'given_up_at', 'problem'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(delivery).toEqual({ attempts: 0, given_up_at: null, problem: null })
  })
})
