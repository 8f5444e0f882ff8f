import { type Server, startServer } from './server.ts'

/** A real server, embedded, with sales as tests need them. */
export interface House {
  readonly url: string
  /** A sale that runs, to which guests may come. */
  openSale(room?: Readonly<Record<string, unknown>>, event?: Readonly<Record<string, unknown>>): Promise<HouseSale>
  close(): Promise<void>
}

export interface HouseSale {
  readonly eventId: string
  readonly seatTypeId: string
  change(room: Readonly<Record<string, unknown>>): Promise<void>
  terminate(ticketId: string): Promise<void>
}

const HOUR = 3_600_000

export async function openHouse(env: Readonly<Record<string, string>> = {}): Promise<House> {
  const server: Server = await startServer({ mode: 'embedded', env })
  const { url } = server
  const admin = await server.adminToken()
  const send = async (method: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin}`, connection: 'close' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  return {
    url,
    async openSale(room = {}, event = {}) {
      const found = await send('POST', '/api/events', {
        ...{ name: 'Aurora Live', totalSeats: 50 },
        salesStartAt: new Date(Date.now() - HOUR).toISOString(),
        salesEndAt: new Date(Date.now() + HOUR).toISOString(),
        ...event,
        room: { guests: true, guestsPerAddress: 1_000, ...room },
      })
      const { id, seatTypes } = found as { id: string; seatTypes: { id: string }[] }
      return {
        eventId: id,
        seatTypeId: String(seatTypes[0]?.id),
        change: async (change) => void (await send('PATCH', `/api/events/${id}/room`, change)),
        terminate: async (ticketId) => void (await send('POST', `/api/events/${id}/queue/terminate`, { ticketId })),
      }
    },
    close: () => server.discard(),
  }
}
