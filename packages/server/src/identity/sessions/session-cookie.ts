import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/index.ts'
import { addCookie, comesFromOwnPages, readCookie } from '../../http/index.ts'
import type { IssuedToken } from './access-token.ts'

export const SESSION_COOKIE = 'seatwise-session'

/** The access token that a browser carries for the pages, if the request comes from them; else null. */
export function readSessionCookie(config: Config, request: FastifyRequest): string | null {
  const token = readCookie(config, request, SESSION_COOKIE)
  return token === null || token === '' || !comesFromOwnPages(config, request) ? null : token
}

export function keepSession(config: Config, request: FastifyRequest, reply: FastifyReply, token: IssuedToken): void {
  const cookie = { name: SESSION_COOKIE, value: token.accessToken, seconds: token.expiresIn }
  addCookie(config, { request, reply }, cookie)
}

/** Takes the cookie away. What ends the session itself is in sign-out.ts. */
export function dropSession(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  addCookie(config, { request, reply }, { name: SESSION_COOKIE, value: '', seconds: 0 })
}
