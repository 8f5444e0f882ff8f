import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Link {
  readonly traceId: string
  readonly spanId: string
}

export interface ReceivedSpan extends Link {
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly links?: readonly Link[]
  readonly attributes?: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

export interface Collector {
  readonly url: string
  /** All requests as text, headers too. */
  text(): string
  spans(): readonly ReceivedSpan[]
  close(): Promise<void>
}

/** Receives traces over OTLP/HTTP, as a collector does. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = []
  const headers: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await readAll(request))
    headers.push(JSON.stringify([request.url, request.headers]))
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => [...headers, ...bodies].join('\n'),
    spans: () => bodies.flatMap(spansIn),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}
