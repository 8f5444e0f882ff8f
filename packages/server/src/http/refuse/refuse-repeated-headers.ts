import { SeatwiseError } from '@seatwise/domain'
import type { App } from '../http-server.ts'

/**
 * Headers that decide something and have one value. Node keeps the first `Host` and joins two keys by a comma; a proxy in
 * front may do it the other way round, and then two programs see two different requests in the same bytes. Repeated
 * lengths and encodings of bodies are refused by Node's parser already.
 */
const SINGLE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'idempotency-key',
  'last-event-id',
  'origin',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'seatwise-guest',
  'seatwise-pass',
  'seatwise-ticket',
  'stripe-signature',
  'x-request-id',
])

/** Refuses a request that says such a thing twice, whether or not it says the same. */
export function refuseRepeatedHeaders(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const name = findRepeated(request.raw.rawHeaders)
    done(name === null ? undefined : new SeatwiseError('BAD_REQUEST', { message: `The header ${name} came twice` }))
  })
}

/** Names and values take turns. */
function findRepeated(rawHeaders: readonly string[]): string | null {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}
