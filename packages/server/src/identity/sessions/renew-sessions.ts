import { bearerToken, hasCookie, type Renewal } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'
import { keepSession, readSessionCookie, SESSION_COOKIE } from './session-cookie.ts'

/** The response header with the access token that the client should send from now on. */
const RENEWED_ACCESS_HEADER = 'seatwise-renewed-access'

/** Renews access tokens that an older secret signed. */
export function createSessionRenewal({ config, identity }: Pick<IdentityServices, 'config' | 'identity'>): Renewal {
  return {
    kind: 'access',
    renewHeader(request, reply) {
      const token = identity.tokens.renew(bearerToken(request.headers.authorization) ?? '')
      if (token === null) return false
      reply.header(RENEWED_ACCESS_HEADER, token.accessToken)
      return true
    },
    renewCookie(request, reply) {
      const token = identity.tokens.renew(readSessionCookie(config, request) ?? '')
      if (token === null || hasCookie(reply, SESSION_COOKIE)) return false
      keepSession(config, request, reply, token)
      return true
    },
  }
}
