import { type IncomingHttpHeaders, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { withDeadline } from '../../kit/index.ts'
import { type PinOptions, pinAddress } from './pin-address.ts'

export interface PinnedCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface PinnedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Its beginning. */
  readonly text: string
}

/** From the name lookup to the end of the answer. */
const CALL_MS_MAX = 10_000
/** Reading stops after this much of an answer. */
const ANSWER_BYTES_MAX = 16 * 1_024

export interface CallOptions extends PinOptions {
  readonly timeoutMs?: number
}

/** Calls an address that a user named, once that address is known to be on the public internet. Redirects are not followed. */
export async function callPinned(call: PinnedCall, options: CallOptions): Promise<PinnedAnswer> {
  const { timeoutMs = CALL_MS_MAX } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const url = new URL(call.url)
  const address = await withDeadline(pinAddress(url, options), timeoutMs, `The name server for ${url.hostname}`)
  return await send(url, address, call, signal)
}

async function send(
  url: URL,
  address: string,
  { method, headers, body = '' }: PinnedCall,
  signal: AbortSignal,
): Promise<PinnedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PinnedAnswer>()
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  const outgoing = request(url, {
    method,
    headers: { ...headers, ...(method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}) },
    // A fresh connection to the address that was checked and no other. TLS still verifies the name.
    agent: false,
    lookup: always(address),
    signal,
  })
  outgoing.on('error', (error) => {
    reject(signal.aborted ? new Error(`${url.host} did not answer in time`, { cause: error }) : error)
  })
  outgoing.on('response', (answer) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => {
      const text = Buffer.concat(chunks).toString().slice(0, ANSWER_BYTES_MAX)
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
    }
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
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
