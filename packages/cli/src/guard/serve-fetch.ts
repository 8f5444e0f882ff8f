import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

/** Long enough for what a guard waits for itself. */
const REQUEST_MS_MAX = 10_000

export interface FetchServer {
  readonly url: string
  close(): Promise<void>
}

/** Lets a function from Request to Response serve HTTP. */
export async function serveFetch(
  handle: (request: Request) => Promise<Response>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<FetchServer> {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch((error: unknown) => {
      console.error(error)
      if (!outgoing.headersSent) outgoing.writeHead(500)
      outgoing.end()
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      await closed
    },
  }
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = requestFrom(incoming)
  const response = request === null ? new Response(null, { status: 400 }) : await handle(request)
  const headers = [...response.headers].flat()
  outgoing.writeHead(response.status, headers)
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

/** Null for what cannot be a request of the web, such as one to no address. */
function requestFrom(incoming: IncomingMessage): Request | null {
  const { method = 'GET', url = '' } = incoming
  // The host is of no interest here, and whatever it says must not decide what the path is.
  const parsed = url.startsWith('/') ? URL.parse(`http://guard${url}`) : null
  if (parsed === null || /^(connect|trace|track)$/i.test(method)) return null
  const headers = new Headers()
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '')
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {}
  return new Request(parsed, { method, headers, ...body })
}
