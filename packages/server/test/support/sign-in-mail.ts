import type { App } from '../../src/http/http-server.ts'
import { drawSignInLetter } from '../../src/identity/links/draw-sign-in-letter.ts'
import type { Services } from '../../src/main/services.ts'
import type { Answer } from './events.ts'

export interface Server {
  readonly app: App
  readonly services: Pick<Services, 'ledger' | 'identity'>
}

/** Asks for mail that signs in, and reads it as the recipient does. */
export class Mails {
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
  }

  ask(email: string, more: object = {}): Promise<Answer> {
    return this.#server.app.inject({ method: 'POST', url: '/api/auth/link', payload: { email, ...more } })
  }

  redeem(
    email: string,
    code: string,
    remoteAddress = '127.0.0.1',
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const payload = { email, code }
    return this.#server.app.inject({ method: 'POST', url: '/api/auth/link/redeem', payload, remoteAddress, headers })
  }

  open(path: string, cookie = ''): Promise<Answer> {
    return this.#server.app.inject({ url: path, headers: { cookie } })
  }

  /** Draws the letter of the mail that was asked for last, as the courier does, and reads it. */
  async last(email: string): Promise<{ code: string; path: string; language: string }> {
    const { ledger, identity } = this.#server.services
    const query = ledger.db.selectFrom('sign_in_codes').select('id').where('email', '=', email)
    const { id } = await query.orderBy('asked_at', 'desc').executeTakeFirstOrThrow()
    const letter = await drawSignInLetter(ledger, identity.links, id)
    if (letter === null) throw new Error(`No mail went to ${email}`)
    return letter
  }

  /** Signs in by code; returns the access token. */
  async signIn(email: string, headers: Record<string, string> = {}): Promise<string> {
    await this.ask(email)
    const { code } = await this.last(email)
    const answer = await this.redeem(email, code, '127.0.0.1', headers)
    if (answer.statusCode !== 200) throw new Error(`Could not sign in: ${answer.body}`)
    return answer.json<{ accessToken: string }>().accessToken
  }

  /** Lets 20 minutes pass for the sessions of an account. */
  async age(email: string): Promise<void> {
    const { db } = this.#server.services.ledger
    const earlier = new Date(Date.now() - 20 * 60_000)
    await db
      .updateTable('sessions')
      .set({ begun_at: earlier, confirmed_at: earlier })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('email', '=', email))
      .execute()
  }
}
