import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { IssuedToken } from '../tokens/access-token.ts'
import { comesFromOwnPages, readCookie, writeCookie } from './own-pages.ts'

const SESSION_COOKIE = 'seatwise-session'

/** The access token that a browser carries for the pages, if the request comes from them; else null. */
export function readSessionCookie(config: Config, request: FastifyRequest): string | null {
  const token = readCookie(request, SESSION_COOKIE)
  return token === null || token === '' || !comesFromOwnPages(config, request) ? null : token
}

export function keepSession(config: Config, request: FastifyRequest, reply: FastifyReply, token: IssuedToken): void {
  addCookie(reply, writeCookie(config, request, SESSION_COOKIE, token.accessToken, token.expiresIn))
}

export function endSession(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  addCookie(reply, writeCookie(config, request, SESSION_COOKIE, '', 0))
}

/** Several cookies may go out with one answer; Fastify makes one header line of each. */
export function addCookie(reply: FastifyReply, cookie: string): void {
  reply.header('set-cookie', cookie)
}
