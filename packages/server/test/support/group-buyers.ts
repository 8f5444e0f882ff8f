import { randomUUID } from 'node:crypto'
import type { Answer } from './events.ts'
import { listen as listenAt, PushClient } from './realtime.ts'
import type { RoomBench } from './room.ts'

interface Wish {
  readonly room: string
  readonly as: string
  readonly pass: string
  readonly quantity: number
}

/** Reserves seats of the sale's only type with a pass, which may be another visitor's. */
export async function reserve(bench: RoomBench, { room, as, pass, quantity }: Wish): Promise<Answer> {
  const event = (await bench.call('GET', room)).json<{ seatTypes: { id: string }[] }>()
  const body = { seatTypeId: event.seatTypes[0]?.id, quantity }
  return await bench.call('POST', `${room}/reservations`, {
    ...{ as, pass, body },
    headers: { 'idempotency-key': randomUUID() },
  })
}

/** Listens to private channels with one ticket; `turns` are the channels that told of the turn. */
export async function listen(
  bench: RoomBench,
  { ticket, channels }: { ticket: string; channels: readonly string[] },
): Promise<{ turns(): (string | undefined)[]; close(): void }> {
  const client = await PushClient.open(await listenAt(bench))
  await client.subscribed(channels, { ticketToken: ticket })
  return { turns: () => client.of('ACTIVE').map(({ channel }) => channel), close: () => client.close() }
}

/** A browser without a script: it keeps cookies, and follows where a form leads. */
export async function openVisitor(bench: RoomBench, url: string) {
  const cookies = new Map<string, string>()
  const origin = 'http://localhost'
  async function ask(method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<string> {
    const answer = await bench.server.app.inject({
      ...{ method, url: path },
      headers: {
        ...{ host: 'localhost', origin, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...{ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' },
        ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
    })
    for (const { name, value } of answer.cookies) cookies.set(name, value)
    return answer.statusCode === 303 ? await ask('GET', String(answer.headers.location)) : answer.body
  }
  return {
    page: await ask('GET', url),
    get: (path: string) => ask('GET', path),
    post: (path: string, form: Record<string, string> = {}) => ask('POST', path, form),
  }
}
