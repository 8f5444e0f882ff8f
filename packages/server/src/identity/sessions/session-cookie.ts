import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/index.ts'
import { addCookie, comesFromOwnPages, readCookie } from '../../http/index.ts'
import type { IssuedToken } from './access-token.ts'

export const SESSION_COOKIE = 'seatwise-session'

/** The access token in the browser's cookie, if the request comes from our own pages; else null. */
export function readSessionCookie(config: Config, request: FastifyRequest): string | null {
  const token = readCookie(config, request, SESSION_COOKIE)
  return token === null || token === '' || !comesFromOwnPages(config, request) ? null : token
}

export function keepSession(config: Config, request: FastifyRequest, reply: FastifyReply, token: IssuedToken): void {
  const cookie = { name: SESSION_COOKIE, value: token.accessToken, seconds: token.expiresIn }
  addCookie(config, { request, reply }, cookie)
}

/** Deletes the cookie. sign-out.ts ends the session itself. */
export function dropSession(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  addCookie(config, { request, reply }, { name: SESSION_COOKIE, value: '', seconds: 0 })
}
