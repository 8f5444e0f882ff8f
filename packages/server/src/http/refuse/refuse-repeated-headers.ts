import { SeatwiseError } from '@seatwise/domain'
import type { App } from '../http-server.ts'

/**
 * Headers that decide something and have one value. Node keeps the first `Host` and joins two keys with a comma; a
 * proxy in front may do the opposite, and then two programs read two different requests from the same bytes. Node's
 * parser already refuses repeated body lengths and encodings.
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

/** Refuses a request that repeats such a header, even with the same value. */
export function refuseRepeatedHeaders(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const name = findRepeated(request.raw.rawHeaders)
    done(name === null ? undefined : new SeatwiseError('BAD_REQUEST', { message: `The header ${name} came twice` }))
  })
}

/** Names and values alternate. */
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
