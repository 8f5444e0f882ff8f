import { randomUUID } from 'node:crypto'
import { createAccessTokens } from '@seatwise/server'
import type { Server } from '@seatwise/testbench'

/** What servers of the bench sign with, so that the bench can make up as many visitors as it likes. */
export const SECRET: Buffer = Buffer.alloc(32, 'bench')

const BODY = '{}'

/**
 * A crowd, each with one request under way, for the real server and for the one that does nothing. The more there are, the
 * slower the latter gets; joins stay as they are.
 */
export const CROWD_CONNECTIONS = 400

export interface Sale {
  readonly eventId: string
  readonly roomId: string
}

/** A sale that lets people in at its usual pace, while far more of them come. */
export async function openSale(server: Server): Promise<Sale> {
  const answer = await fetch(`${server.url}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Aurora Live',
      totalSeats: 1_000,
      salesStartAt: '2020-01-01T00:00:00Z',
      salesEndAt: '2100-01-01T00:00:00Z',
      room: { maxWaiting: 10_000_000, heartbeatTimeoutSeconds: 3_600, stockAware: false },
    }),
  })
  const event = (await answer.json()) as { id?: string; roomId?: string }
  if (event.id === undefined || event.roomId === undefined) throw new Error(`No event: ${JSON.stringify(event)}`)
  return { eventId: event.id, roomId: event.roomId }
}

/** So many visitors who were never here before, each with an access token of their own, as a POST to `url`. */
export function newcomers(url: URL, count: number): Buffer[] {
  const tokens = createAccessTokens([SECRET], Date.now)
  return Array.from({ length: count }, (_, index) => {
    const { accessToken } = tokens.issue({ id: randomUUID(), role: 'buyer', name: `Visitor ${index}`, avatar: null })
    return Buffer.from(
      `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${accessToken}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
      'latin1',
    )
  })
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
