import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectRecord, removeFolder, type Server, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
let server: Server

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer({ mode: 'embedded', dataDir: join(folder, 'data') })
}, 120_000)
afterAll(async () => {
  await server?.discard()
  await removeFolder(folder)
})

it('[B35] [B36] a visitor who waited and paid has mail, and is let in with the code, once', async () => {
  const admin = { authorization: `Bearer ${await server.adminToken()}` }
  const window = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
  const seatTypes = [{ name: 'Standing', price: 4500, currency: 'EUR', totalQuantity: 10 }]
  const event = await post('/api/events', admin, { name: 'Aurora Live', ...window, seatTypes })
  const account = { email: 'ada@example.com', password: 'nine green bottles', name: 'Ada' }
  const { accessToken } = await post('/api/auth/register', {}, account)
  const ada = { authorization: `Bearer ${accessToken}` }

  const { ticketToken } = await post(`/api/events/${event.id}/queue/join`, ada, {})
  const ticket = { 'seatwise-ticket': String(ticketToken) }
  const { activeToken } = await waitUntil('it is her turn', () =>
    post(`/api/events/${event.id}/queue/claim`, ticket, {}),
  )
  const [type] = event.seatTypes as { id: string }[]
  const wish = { seatTypeId: type?.id, quantity: 1 }
  const pass = { ...ada, 'seatwise-pass': String(activeToken), 'idempotency-key': randomUUID() }
  const reservation = await post(`/api/events/${event.id}/reservations`, pass, wish)
  const payment = { reservationId: reservation.id, paymentMethod: 'sandbox_ok' }
  const purchase = await post('/api/purchases', { ...ada, 'idempotency-key': randomUUID() }, payment)
  expect(purchase.status).toBe('PAID')

  const [eticket] = purchase.etickets as { id: string; code: string }[]
  const mailbox = join(folder, 'data', 'mailbox')
  const file = await waitUntil('there is mail', async () =>
    (await readdir(mailbox)).find((name) => name.endsWith('.eml')),
  )
  const mail = await readFile(join(mailbox, file), 'utf8')
  expect(mail).toContain('To: Ada <ada@example.com>')
  expect(mail).toContain('Subject: Your e-tickets for Aurora Live')

  const scan = { code: eticket?.code, eventId: event.id }
  expect(await post('/api/checkin', admin, scan)).toMatchObject({ eticketId: eticket?.id })
  await expect(post('/api/checkin', admin, scan)).rejects.toThrow('ALREADY_USED')
}, 120_000)

async function post(path: string, headers: Record<string, string>, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return expectRecord(await answer.json())
}
