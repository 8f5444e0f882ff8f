import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { expectError, openKernel } from '../support/kernel.ts'
import { openRawClient, readAnswer } from '../support/raw-client.ts'

let ledger: Ledger
let app: App
let port: number
beforeAll(async () => {
  ledger = await openScratchLedger()
  app = await openKernel(ledger, {
    routes: (kernel) => kernel.post('/say', { config: { access: 'public' } }, async ({ host }) => ({ host })),
  })
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await app.close()
  await ledger.close()
})

async function send(lines: readonly string[]): Promise<{ statusCode: number; body: string }> {
  const client = await openRawClient(port)
  client.send(`${['POST /say HTTP/1.1', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  return readAnswer(await client.answered)
}

it.each([
  ['Host: one.example', 'Host: two.example'],
  ['Host: same.example', 'HOST: same.example'],
  ['Host: x', 'Authorization: Bearer a', 'authorization: Bearer b'],
  ['Host: x', 'Idempotency-Key: a', 'Idempotency-Key: b'],
  ['Host: x', 'Seatwise-Ticket: a', 'Seatwise-Ticket: b'],
  ['Host: x', 'Seatwise-Pass: a', 'Seatwise-Pass: b'],
  ['Host: x', 'Seatwise-Guest: a', 'Seatwise-Guest: b'],
  ['Host: x', 'Origin: http://x', 'Origin: http://evil.example'],
  ['Host: x', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'],
  ['Host: x', 'Content-Type: application/json', 'Content-Type: text/plain'],
  ['Host: x', 'Content-Length: 0', 'Content-Length: 1'],
  ['Host: x', 'Content-Length: 0', 'Content-Length: 0'],
  ['Host: x', 'Content-Length: 3', 'Transfer-Encoding: chunked'],
  ['Host: x', 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
])('[X21] %s, %s %s is refused', async (...lines) => {
  expectError(await send(lines), 400, 'BAD_REQUEST')
})

it('[X21 control] each of them once is fine, and so are lists that come in several lines', async () => {
  const lines = [
    'Host: one.example',
    'Idempotency-Key: a',
    'Seatwise-Ticket: b',
    'Content-Length: 0',
    'Origin: http://one.example',
  ]
  const lists = [
    'Accept: text/html',
    'Accept: */*',
    'Cookie: a=b',
    'Cookie: c=d',
    'Accept-Language: ko',
    'Accept-Language: vi',
  ]
  const answer = await send([...lines, ...lists])
  expect([answer.statusCode, answer.body]).toEqual([200, '{"host":"one.example"}'])
})
