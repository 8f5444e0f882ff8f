import type { Ledger } from '@seatwise/ledger'
import type { App } from '../../../src/http/http-server.ts'
import { newEmail, PASSWORD, registerVisitor } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'

export const KINDS = [
  'signing in with a password',
  'signing in on the page',
  'asking for a link',
  'asking for a link on the page',
  'a wrong code',
  'a wrong code on the page',
  'a wrong recovery code',
  'a wrong recovery code on the page',
] as const
export type Kind = (typeof KINDS)[number] | 'signing up with a password'
export type Whose = 'with a password' | 'without a password' | 'unknown'
export type Asked = (kind: Kind, whose: Whose) => Promise<Answer>

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

/** Calls of an attacker who wants to know which addresses have accounts; an unknown address is another one each time. */
export async function openCallers(app: App, { db }: Pick<Ledger, 'db'>): Promise<Asked> {
  const accounts = async () => {
    const [withPassword, without] = [await registerVisitor(app), await registerVisitor(app)]
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', without.id).execute()
    // As who made a passkey has them: a code is compared with them.
    const codes = Array.from({ length: 10 }, (_, index) => ({ user_id: withPassword.id, code_hash: `${index}` }))
    await db.insertInto('recovery_codes').values(codes).execute()
    return { 'with a password': withPassword.email, 'without a password': without.email }
  }
  const [known, unmailed] = [await accounts(), await accounts()]

  return async (kind, whose) => {
    // A wrong code is compared with every mail that was asked for, and mail may be asked for without an account.
    const email = whose === 'unknown' ? newEmail() : (kind.startsWith('a wrong code') ? unmailed : known)[whose]
    const password = 'not the right words'
    const post = (url: string, payload: object): Promise<Answer> => app.inject({ method: 'POST', url, payload })
    const send = (url: string, fields: Record<string, string>): Promise<Answer> =>
      app.inject({ method: 'POST', url, headers: FORM, payload: new URLSearchParams(fields).toString() })
    const code = '00000000'
    switch (kind) {
      case 'signing in with a password':
        return await post('/api/auth/login', { email, password })
      case 'signing in on the page':
        return blind(await send('/sign-in', { email, password }), email)
      case 'asking for a link':
        return await post('/api/auth/link', { email })
      case 'asking for a link on the page':
        return blind(await send('/sign-in', { email }), email)
      case 'a wrong code':
        return await post('/api/auth/link/redeem', { email, code })
      case 'a wrong code on the page':
        return blind(await send('/sign-in/code', { email, code }), email)
      case 'a wrong recovery code':
        return await post('/api/auth/recovery', { email, code })
      case 'a wrong recovery code on the page':
        return blind(await send('/sign-in/recovery', { email, code }), email)
      case 'signing up with a password':
        return await post('/api/auth/register', { email, password: PASSWORD, name: 'Ada' })
    }
  }
}

/** The page shows the address that was typed; apart from that it must be the same. */
function blind(answer: Answer, email: string): Answer {
  const body = answer.body.replaceAll(email, '…').replaceAll(encodeURIComponent(email), '…')
  return Object.assign(Object.create(answer), { body, statusCode: answer.statusCode, headers: answer.headers })
}
