import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type Server, waitUntil } from '@seatwise/testbench'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { type SaleOfShop, send } from '../crash/shop.ts'

/** Where the visitors of these tests come from: another address of this machine. */
const VISITOR = '127.0.0.2'

export async function ask(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const options = { localAddress: VISITOR, headers: { connection: 'close', ...headers } }
  const [answer] = (await once(get(url, options), 'response')) as [IncomingMessage]
  return answer
}

export async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Rule Y30: pages come through, and the server knows the address of the connection, whatever the visitor says it is. */
export async function expectPages(proxyUrl: string, server: Server): Promise<void> {
  const page = await ask(`${proxyUrl}/`, { 'x-forwarded-for': '203.0.113.7', accept: 'text/html' })
  expect([page.statusCode, await bodyOf(page)]).toEqual([200, expect.stringContaining('Aurora Live')])
  const line = await waitUntil('it is logged', () => {
    const lines = server.output().split('\n')
    return lines.findLast((text) => text.includes('"route":"/"'))
  })
  expect(line).toContain(`"address":"${VISITOR}"`)
  expect((await ask(`${proxyUrl}/metrics`)).statusCode).toBe(404)
}

/** Rule Y32: WebSocket and Server-Sent Events arrive as they are sent. */
export async function expectPush(proxyUrl: string, server: Server, { eventId }: SaleOfShop): Promise<void> {
  const { body } = await send(server, 'POST', `/api/events/${eventId}/queue/join`, {}, {})
  const channel = `event:${eventId}:public`
  const socket = new WebSocket(`${proxyUrl.replace('http', 'ws')}/realtime`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'subscribe', channels: [channel] }))
  const [message] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(message.toString('utf8'))).toMatchObject({ type: 'SUBSCRIBED' })
  socket.terminate()
  const headers = { 'seatwise-ticket': String(body.ticketToken), accept: 'text/event-stream' }
  const stream = await ask(`${proxyUrl}/realtime/sse?channels=${encodeURIComponent(channel)}`, headers)
  expect(stream.headers['content-type']).toContain('text/event-stream')
  const [first] = (await once(stream, 'data')) as [Buffer]
  expect(first.toString('utf8')).toMatch(/^(?:id|event|data|retry|:)/)
  stream.destroy()
}
