import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Trick } from './tricks.ts'

/** A server that keeps a strange request open is not waited for: what it has said by then is what counts. */
const PATIENCE_MS = 500

/** Sends a request byte for byte, without any client that would make it decent, and reads what comes back. */
export function sendRaw(site: string, trick: Trick): Promise<string> {
  const { hostname, port } = new URL(site)
  const { method = 'GET', target = '/drop', headers = [], body = '' } = trick
  const accept = headers.some(([name]) => name === 'Accept') ? [] : [['Accept', 'text/html'] as const]
  const lines = [['Host', `${hostname}:${port}`] as const, ['Connection', 'close'] as const, ...accept, ...headers]
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', '']
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    const end = (): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(PATIENCE_MS, end)
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', end)
    socket.write(head.join('\r\n') + body, 'utf8')
  })
}

export interface Page {
  readonly status: number
  readonly location: string | undefined
  readonly setCookie: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Asks for a page as a browser does; `fetch` would say of itself that it is a script. */
export async function openPage(url: string, cookie = ''): Promise<Page> {
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', ...(cookie === '' ? {} : { cookie }) }
  const { promise, resolve, reject } = Promise.withResolvers<Page>()
  const asked = request(url, { headers, agent: false }, (answer) => {
    text(answer).then((body) => {
      const setCookie = String(answer.headers['set-cookie'] ?? '')
      resolve({
        status: answer.statusCode ?? 0,
        location: answer.headers.location,
        setCookie,
        headers: answer.headers,
        body,
      })
    }, reject)
  })
  asked.on('error', reject).end()
  return await promise
}
