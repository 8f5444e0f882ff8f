import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expectFields, shape, waitUntil } from '@seatwise/testbench'

/** Joins a room, waits for the turn, and follows the forms of the pages to the guarded site: its session cookie. */
export async function walkIn(roomUrl: string, room: string, to: string): Promise<string> {
  const queue = `${roomUrl}/api/rooms/${room}/queue`
  const headers = { 'content-type': 'application/json' }
  const joined = await fetch(`${queue}/join`, { method: 'POST', headers, body: '{}' })
  const ticket = expectFields(await joined.json(), { ticketToken: shape.text }).ticketToken
  await waitUntil('the turn comes', async () => {
    const answer = await fetch(`${queue}/status`, { headers: { 'seatwise-ticket': ticket } })
    return /^(admitted|active)$/.test(expectFields(await answer.json(), { status: shape.text }).status)
  })
  const page = await submit(`${roomUrl}/rooms/${room}/return?to=${encodeURIComponent(to)}`, {
    origin: roomUrl,
    cookie: cookieOf(joined),
  })
  const form = await page.text()
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  const entered = await submit(
    /action="([^"]*)"/.exec(form)?.[1] ?? '',
    { origin: roomUrl },
    Object.fromEntries(fields),
  )
  return cookieOf(entered)
}

/** As a browser opens a page, which `fetch` may not pretend to do: the status and where it leads. */
export async function openPage(url: string): Promise<[number | undefined, string | undefined]> {
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', connection: 'close' }
  const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  answer.resume()
  return [answer.statusCode, answer.headers.location]
}

async function submit(
  url: string,
  headers: Record<string, string>,
  fields: Record<string, string> = {},
): Promise<Response> {
  return await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
}

function cookieOf(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}
