import { expectRecord } from '@seatwise/testbench'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type EventFacts, stage } from './stage.ts'

/** A guest who waits, without a browser. */
export const join = (event: EventFacts) => stage.call('POST', `/api/events/${event.id}/queue/join`, {}, null)

/** A guest says where the e-tickets go, at the checkout. */
export const fillEmail = (page: Page) => page.locator('input[name=email]').fill('linh@example.com')

/** The position of a visitor without a browser; asking also shows that they are still there. */
export async function look(event: EventFacts, ticketToken: unknown): Promise<Record<string, unknown>> {
  const headers = { connection: 'close', 'seatwise-ticket': String(ticketToken) }
  return await (await fetch(`${stage.url}/api/events/${event.id}/queue/status`, { headers })).json()
}

/** A waiting visitor goes in when it is their turn, and buys two seats of the only category. */
export async function buyTwo(event: EventFacts, { ticketToken, accessToken }: Record<string, unknown>): Promise<void> {
  const send = async (path: string, headers: Record<string, string>, body: object, method = 'POST') => {
    const answer = await fetch(`${stage.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        connection: 'close',
        authorization: `Bearer ${accessToken}`,
        ...headers,
      },
      body: JSON.stringify(body),
    })
    return expectRecord(await answer.json())
  }
  const claimed = async () =>
    (await send(`/api/events/${event.id}/queue/claim`, { 'seatwise-ticket': String(ticketToken) }, {})).activeToken
  await expect.poll(claimed, { timeout: 30_000 }).toBeTypeOf('string')
  const pass = String(await claimed())
  const wish = { seatTypeId: event.seatTypes[0]?.id, quantity: 2 }
  const key = { 'idempotency-key': crypto.randomUUID() }
  const reservation = await send(`/api/events/${event.id}/reservations`, { 'seatwise-pass': pass, ...key }, wish)
  await send(`/api/reservations/${reservation.id}`, {}, { email: 'linh@example.com' }, 'PATCH')
  await send('/api/purchases', { 'idempotency-key': crypto.randomUUID() }, { reservationId: reservation.id })
}
