import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { withDeadline } from '../../kit/index.ts'
import { type PinOptions, pinAddress } from './pin-address.ts'

export interface WebhookCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** From the name lookup to the end of the answer. */
const CALL_MS_MAX = 10_000
/** The answer is not used; reading stops after this much of it. */
const ANSWER_BYTES_MAX = 16 * 1_024

export interface CallOptions extends PinOptions {
  readonly timeoutMs?: number
}

/** Calls a webhook. Any answer but 2xx throws, a redirect too: its target has not been checked. */
export async function callWebhook(call: WebhookCall, options: CallOptions): Promise<void> {
  const { timeoutMs = CALL_MS_MAX } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const url = new URL(call.url)
  const address = await withDeadline(pinAddress(url, options), timeoutMs, `The name server for ${url.hostname}`)
  const status = await send(url, address, call, signal)
  if (status >= 200 && status < 300) return
  const isRedirect = status >= 300 && status < 400
  throw new Error(`${url.host} answered ${status}${isRedirect ? '; redirects are not followed' : ''}`)
}

async function send(url: URL, address: string, { headers, body }: WebhookCall, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  const outgoing = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // A fresh connection to the address that was checked and no other. TLS still verifies the name.
    agent: false,
    lookup: always(address),
    signal,
  })
  outgoing.on('error', (error) => {
    reject(signal.aborted ? new Error(`${url.host} did not answer in time`, { cause: error }) : error)
  })
  outgoing.on('response', (answer) => {
    const end = () => resolve(answer.statusCode ?? 0)
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= ANSWER_BYTES_MAX) return
      end()
      answer.destroy()
    })
    answer.on('end', end)
    answer.on('error', reject)
  })
  outgoing.end(body)
  return await promise
}

function always(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4
  return (_name, options, done) => {
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }
}
