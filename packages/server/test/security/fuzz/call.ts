import { Agent, request } from 'node:http'

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** An answer that takes longer is one that never comes. */
const ANSWER_MS_MAX = 20_000
/** A push stream never ends; its beginning is enough. */
const STREAM = 'text/event-stream'

export interface Caller {
  call(call: Call): Promise<Heard>
  close(): void
}

/** Sends requests as they are written: clients that know URLs would tidy them up. */
export function openCaller(port: number, connections: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    call: (call) => send(agent, port, call),
    close: () => agent.destroy(),
  }
}

function send(agent: Agent, port: number, { method, path, headers, body }: Call): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>()
  const sent = request({ host: '127.0.0.1', port, agent, method, path, headers, timeout: ANSWER_MS_MAX }, (answer) => {
    const chunks: Buffer[] = []
    const hear = () => {
      const text = Buffer.concat(chunks).toString()
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
    }
    if (String(answer.headers['content-type']).startsWith(STREAM)) {
      hear()
      sent.destroy()
      return
    }
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.once('end', hear)
    answer.once('error', reject)
  })
  sent.once('timeout', () => sent.destroy(new Error(`No answer within ${ANSWER_MS_MAX} ms`)))
  sent.once('error', reject)
  sent.end(body ?? undefined)
  return promise
}
