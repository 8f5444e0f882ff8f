import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that was serialised once and is sent many times. */
export interface Document {
  readonly body: Buffer
  readonly headers: Readonly<Record<'content-type' | 'etag' | 'cache-control', string>>
}

/** Anybody may keep it for as long as our own copy may be old. */
const SHARED = 'public, max-age=1'
/** What somebody sees who may just have written it: theirs alone, and asked for again each time. */
const OWN = 'private, no-cache'

export function makeDocument(json: string): Document {
  const body = Buffer.from(json)
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
  const headers = { 'content-type': 'application/json; charset=utf-8', etag, 'cache-control': SHARED }
  return { body, headers: Object.freeze(headers) }
}

/** Sends it, or 304 to a client that has it already. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  reply.headers(document.headers)
  const known = request.headers['if-none-match']
  if (known !== undefined && isAmong(document.headers.etag, known)) return reply.code(304).send()
  return reply.send(document.body)
}

export function sendOwnDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  return sendDocument(request, reply, { ...document, headers: { ...document.headers, 'cache-control': OWN } })
}

/** A weak tag matches too: a proxy that compresses makes ours weak. */
function isAmong(etag: string, header: string): boolean {
  return header === etag || header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
