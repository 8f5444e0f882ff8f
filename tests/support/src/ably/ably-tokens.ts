import { createHmac, randomUUID } from 'node:crypto'

export const ABLY_KEY = 'app123.key456:secret789'

export type Operation = 'subscribe' | 'publish' | 'presence' | 'channel-metadata'

export interface AblyToken {
  readonly token: string
  readonly clientId: string | null
  readonly capability: Readonly<Record<string, readonly string[]>>
  expires: number
}

/** An error in Ably's words: https://ably.com/docs/platform/errors/codes */
export class AblyError extends Error {
  readonly code: number
  readonly statusCode: number

  constructor(code: number, statusCode: number, message: string) {
    super(message)
    this.code = code
    this.statusCode = statusCode
  }

  get wire(): object {
    return { code: this.code, statusCode: this.statusCode, message: this.message }
  }
}

/** The tokens of one stand-in, issued for signed requests. */
export class AblyTokens {
  readonly #tokens = new Map<string, AblyToken>()
  readonly #nonces = new Set<string>()

  /** https://ably.com/docs/api/rest-api#request-token */
  issue(keyName: string, body: unknown): object {
    const request = strict(
      body,
      ['keyName', 'ttl', 'capability', 'clientId', 'timestamp', 'nonce', 'mac'],
      ['clientId', 'ttl', 'capability'],
    )
    const [name, secret = ''] = ABLY_KEY.split(':')
    if (request.keyName !== name || keyName !== name) throw new Error('unknown key')
    const { ttl = '', capability = '', clientId = '', timestamp, nonce, mac } = request
    const text = `${[name, ttl, capability, clientId, timestamp, nonce].join('\n')}\n`
    if (createHmac('sha256', secret).update(text).digest('base64') !== mac) throw new Error('wrong mac')
    if (Math.abs(Date.now() - Number(timestamp)) > 60_000) throw new Error('timestamp not current')
    if (this.#nonces.has(String(nonce))) throw new Error('nonce already used')
    this.#nonces.add(String(nonce))
    const token = `${name}.${randomUUID()}`
    const issued = Date.now()
    const expires = issued + Number(ttl || 3_600_000)
    this.#tokens.set(token, {
      ...{ token, expires, clientId: clientId === '' ? null : String(clientId) },
      capability: capability === '' ? { '*': ['*'] } : JSON.parse(String(capability)),
    })
    return { token, keyName: name, issued, expires, capability, ...(clientId === '' ? {} : { clientId }) }
  }

  /** As if the time of all visitors' tokens were over. A server with TLS has none: it sends its key. */
  expireAll(): void {
    for (const token of this.#tokens.values()) if (token.clientId !== null) token.expires = 0
  }

  read(text: string): AblyToken {
    const token = this.#tokens.get(text)
    if (token === undefined) throw new AblyError(40_101, 401, 'invalid credentials')
    if (token.expires < Date.now()) throw new AblyError(40_142, 401, 'token expired')
    return token
  }
}

export function isAllowed(
  { capability }: Pick<AblyToken, 'capability'>,
  channel: string,
  operation: Operation,
): boolean {
  const allowed = [...(capability[channel] ?? []), ...(capability['*'] ?? [])]
  return allowed.includes('*') || allowed.includes(operation)
}

/** All of these fields, and no other; `optional` ones may be missing. */
export function strict(
  value: unknown,
  fields: readonly string[],
  optional: readonly string[] = [],
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
  const unknown = Object.keys(value).filter((field) => !fields.includes(field))
  const missing = fields.filter((field) => !(field in value) && !optional.includes(field))
  if (unknown.length + missing.length > 0) throw new Error(`unknown: ${unknown}; missing: ${missing}`)
  return value as Record<string, unknown>
}
