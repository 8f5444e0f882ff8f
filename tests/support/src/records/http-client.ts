import { Agent, request } from 'node:http'

export interface HttpAnswer {
  readonly status: number
  readonly retryAfterMs: number | null
  readonly body: Readonly<Record<string, unknown>>
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Keeps connections open, as browsers do, and gives up on an answer that does not come. */
export class HttpClient {
  readonly #agent: Agent
  readonly #timeoutMs: number

  constructor({ connectionsPerServer = 50, timeoutMs = 20_000 } = {}) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connectionsPerServer })
    this.#timeoutMs = timeoutMs
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { text, ...rest } = await this.#exchange(request)
    return { ...rest, body: text === '' ? {} : JSON.parse(text) }
  }

  /** The text of a document that is not JSON. */
  async read(url: string): Promise<string> {
    return (await this.#exchange({ method: 'GET', url })).text
  }

  #exchange({ method, url, headers = {}, body }: HttpRequest): Promise<Omit<HttpAnswer, 'body'> & { text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<Omit<HttpAnswer, 'body'> & { text: string }>()
    const text = body === undefined ? '' : JSON.stringify(body)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const outgoing = request(
      url,
      { method, agent: this.#agent, headers: { ...type, 'content-length': Buffer.byteLength(text), ...headers } },
      (incoming) => {
        let received = ''
        incoming.setEncoding('utf8').on('data', (piece) => {
          received += piece
        })
        incoming.once('error', reject)
        incoming.once('end', () => {
          const retryAfter = incoming.headers['retry-after']
          const retryAfterMs = retryAfter === undefined ? null : Number(retryAfter) * 1_000
          resolve({ status: incoming.statusCode ?? 0, retryAfterMs, text: received })
        })
      },
    )
    // From the start, also while waiting for a connection.
    const impatience = setTimeout(
      () => outgoing.destroy(new Error(`No answer within ${this.#timeoutMs} ms`)),
      this.#timeoutMs,
    )
    outgoing.once('close', () => clearTimeout(impatience))
    outgoing.once('error', reject)
    outgoing.end(text)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
