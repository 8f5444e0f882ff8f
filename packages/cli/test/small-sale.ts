import { randomUUID } from 'node:crypto'
import { parseRecord, type Server, waitUntil } from '@seatwise/testbench'

const WINDOW = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
const ROOM = { capacity: 100, ratePerMinute: 100_000, burst: 100, claimSeconds: 0 }

/**
 * A sale in which a little of everything happens: bought, declined and bought, changed and canceled, refunded, left, sold at
 * the door.
 * Returns the event's id.
 */
export async function runSmallSale(server: Server): Promise<string> {
  const admin = { authorization: `Bearer ${await server.adminToken()}` }
  const seatTypes = [{ name: 'Standing', price: 4500, currency: 'EUR', totalQuantity: 18 }]
  const event = await ask(server, 'POST', '/api/events', admin, { name: 'Small', ...WINDOW, seatTypes, room: ROOM })
  const [type] = event.seatTypes as { id: string }[]
  const market = { server, eventId: String(event.id), seatTypeId: type?.id ?? '' }

  await pay(market, await reserve(market, 2), 'sandbox_ok')

  const second = await reserve(market, 1)
  await pay(market, second, 'sandbox_declined').catch(() => undefined)
  await pay(market, second, 'sandbox_ok')

  const third = await reserve(market, 1)
  const changed = await reserve(market, 2, third)
  await ask(server, 'DELETE', `/api/reservations/${changed.reservationId}`, changed.proofs)

  const fourth = await reserve(market, 1)
  const { id } = await pay(market, fourth, 'sandbox_ok')
  await ask(server, 'POST', `/api/purchases/${String(id)}/refund`, { ...admin, 'idempotency-key': randomUUID() }, {})

  await reserve(market, 1)
  await sellAtDoor(market, admin)
  return market.eventId
}

/** More than one visitor may have; one of the sales is given back. */
async function sellAtDoor({ server, eventId, seatTypeId }: Market, admin: Record<string, string>): Promise<void> {
  const sell = (quantity: number, method: string) =>
    ask(
      server,
      'POST',
      `/api/events/${eventId}/sales`,
      { ...admin, 'idempotency-key': randomUUID() },
      { seatTypeId, quantity, method },
    )
  await sell(8, 'cash')
  await sell(1, 'complimentary')
  const { id } = await sell(2, 'terminal')
  await ask(server, 'POST', `/api/purchases/${String(id)}/refund`, admin, {})
}

interface Market {
  readonly server: Server
  readonly eventId: string
  readonly seatTypeId: string
}

interface Guest {
  readonly proofs: Record<string, string>
  readonly pass: string
  readonly reservationId: string
}

async function reserve(market: Market, quantity: number, guest?: Guest): Promise<Guest> {
  const { server, eventId, seatTypeId } = market
  const { proofs, pass } = guest ?? (await letIn(market))
  const headers = { ...proofs, 'seatwise-pass': pass, 'idempotency-key': randomUUID() }
  const wish = { seatTypeId, quantity }
  const { id } = await ask(server, 'POST', `/api/events/${eventId}/reservations`, headers, wish)
  return { proofs, pass, reservationId: String(id) }
}

async function letIn({ server, eventId }: Market): Promise<Pick<Guest, 'proofs' | 'pass'>> {
  const account = { email: `${randomUUID()}@example.com`, password: 'nine green bottles', name: 'Ada' }
  const { accessToken } = await ask(server, 'POST', '/api/auth/register', {}, account)
  const proofs = { authorization: `Bearer ${String(accessToken)}` }
  const { ticketToken } = await ask(server, 'POST', `/api/events/${eventId}/queue/join`, proofs, {})
  const ticket = { 'seatwise-ticket': String(ticketToken) }
  const pass = await waitUntil('it is their turn', async () => {
    const { activeToken } = await ask(server, 'GET', `/api/events/${eventId}/queue/status`, ticket)
    return typeof activeToken === 'string' ? activeToken : undefined
  })
  return { proofs, pass }
}

async function pay({ server }: Market, { proofs, reservationId }: Guest, paymentMethod: string) {
  const headers = { ...proofs, 'idempotency-key': randomUUID() }
  return await ask(server, 'POST', '/api/purchases', headers, { reservationId, paymentMethod })
}

async function ask(
  server: Server,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Record<string, unknown>> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...headers, ...type, connection: 'close' },
    ...content,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return parseRecord(text)
}
