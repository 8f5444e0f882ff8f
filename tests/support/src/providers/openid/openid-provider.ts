import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Provider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'

/** A person as the provider knows them. */
export interface OpenidPerson {
  readonly email: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}

const CLIENT_ID = 'seatwise'

/** A real OpenID provider on this machine, in front of which people type a name and no password. */
export class OpenidProvider {
  readonly #people = new Map<string, OpenidPerson>()
  readonly #secret = randomUUID()
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  #provider: Provider | null = null
  #server: Server
  #port = 0

  static async start(): Promise<OpenidProvider> {
    const provider = new OpenidProvider()
    await provider.resume()
    return provider
  }

  constructor() {
    this.#server = this.#makeServer()
  }

  get issuer(): string {
    return `http://localhost:${this.#port}`
  }

  /** The settings that let a server use this provider. */
  get env(): Record<string, string> {
    return {
      SEATWISE_OPENID_ISSUER: this.issuer,
      SEATWISE_OPENID_CLIENT_ID: CLIENT_ID,
      SEATWISE_OPENID_CLIENT_SECRET: this.#secret,
      SEATWISE_OPENID_DOMAINS: 'house.example',
    }
  }

  /** Where a person may be led back to: known once the server that asks has an address. */
  async allow(redirectUri: string): Promise<void> {
    // Loaded here, because every test imports this package and two need a provider.
    const { default: Provider } = await import('oidc-provider')
    this.#provider = new Provider(this.issuer, this.#configuration(redirectUri))
  }

  /** What the provider says of a person from now on. */
  know(name: string, person: OpenidPerson): void {
    this.#people.set(name, { email_verified: true, ...person })
  }

  /** Signs in as a person does, without a browser: returns the address that the provider leads back to. */
  async signIn(url: string, name: string): Promise<string> {
    const cookies = new Map<string, string>()
    let answer = await this.#visit(url, cookies)
    for (let hop = 0; hop < 10; hop += 1) {
      const location = answer.headers.get('location')
      if (location === null) {
        const [, action = ''] = /action="([^"]+)"/.exec(await answer.text()) ?? []
        answer = await this.#visit(new URL(action, this.issuer).href, cookies, new URLSearchParams({ name }))
        continue
      }
      const next = new URL(location, this.issuer)
      if (next.origin !== this.issuer) return next.href
      answer = await this.#visit(next.href, cookies)
    }
    throw new Error('The provider led nowhere')
  }

  async #visit(url: string, cookies: Map<string, string>, body?: URLSearchParams): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, connection: 'close' },
      ...(body && { method: 'POST', body }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  }

  /** An outage: connections are refused until `resume`. */
  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async resume(): Promise<void> {
    this.#server = this.#makeServer()
    this.#server.listen(this.#port, 'localhost')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  #makeServer(): Server {
    return createServer((request, response) => void this.#serve(request, response))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#provider === null) {
      response.writeHead(503).end()
    } else if (!request.url?.startsWith('/interaction/')) {
      await this.#provider.callback()(request, response)
    } else if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(SIGN_IN_PAGE(request.url))
    } else {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const accountId = new URLSearchParams(Buffer.concat(parts).toString()).get('name') ?? ''
      await this.#provider.interactionFinished(request, response, { login: { accountId } })
    }
  }

  #configuration(redirectUri: string): Configuration {
    const know = (id: string) => this.#people.get(id)
    const grants = () => this.#provider
    return {
      clients: [{ client_id: CLIENT_ID, client_secret: this.#secret, redirect_uris: [redirectUri] }],
      jwks: { keys: [{ ...this.#key, kid: 'bench', use: 'sig', alg: 'RS256' }] },
      cookies: { keys: [randomUUID()] },
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, id) =>
        know(id) === undefined ? undefined : { accountId: id, claims: () => ({ sub: id, ...know(id) }) },
      /** No person is asked to agree: the house's own provider serves the house's own site. */
      async loadExistingGrant({ oidc: { client, session } }) {
        const provider = grants()
        if (provider === null) return undefined
        const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    }
  }
}

const SIGN_IN_PAGE = (action: string): string =>
  `<!doctype html><html lang="en"><title>The house</title><form method="post" action="${action}">
<label>Name <input name="name"></label><button>Go on</button></form></html>`
