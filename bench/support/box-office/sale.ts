import { randomUUID } from 'node:crypto'
import { createAccessTokens } from '@seatwise/server'

/** What servers of the bench sign with, so that the bench can prepare as many visitors as it needs. */
export const SECRET: Buffer = Buffer.alloc(32, 'bench')

/** A server on which events can be created. */
export interface Seller {
  readonly url: string
  adminToken(): Promise<string>
}

export interface Sale {
  readonly eventId: string
  readonly roomId: string
}

/** A sale in a room with the default settings, apart from those that are given, and from fields of the event. */
export async function openSale(
  seller: Seller,
  room: Readonly<Record<string, number | string>> = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<Sale> {
  const answer = await fetch(`${seller.url}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await seller.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Aurora Live',
      totalSeats: 1_000,
      salesStartAt: '2020-01-01T00:00:00Z',
      salesEndAt: '2100-01-01T00:00:00Z',
      ...fields,
      room,
    }),
  })
  const event = (await answer.json()) as { id?: string; roomId?: string }
  if (event.id === undefined || event.roomId === undefined) throw new Error(`No event: ${JSON.stringify(event)}`)
  return { eventId: event.id, roomId: event.roomId }
}

const tokens = createAccessTokens([SECRET], Date.now)

/** An access token of a buyer that no server has seen. */
export function newAccessToken(): string {
  return tokens.issue({ id: randomUUID(), role: 'buyer', name: 'Visitor', avatar: null }).accessToken
}

/** Hands out each request once. */
export function once(requests: readonly Buffer[]): () => Buffer | null {
  let next = 0
  return () => requests[next++] ?? null
}

/** Hands them out again and again. */
export function inTurn(requests: readonly Buffer[]): () => Buffer | null {
  let next = 0
  return () => requests[next++ % requests.length] ?? null
}
