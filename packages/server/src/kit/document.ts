import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is serialised once and sent many times. */
export interface Document {
  readonly body: Buffer
  readonly headers: Readonly<Record<'content-type' | 'etag' | 'cache-control', string>>
}

/** Any cache may keep it as long as the server's own cache does. */
const SHARED = 'public, max-age=1'
/** For a reader that may just have written it: private to that reader, and revalidated each time. */
const OWN = 'private, no-cache'

export function makeDocument(json: string): Document {
  const body = Buffer.from(json)
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
  const headers = { 'content-type': 'application/json; charset=utf-8', etag, 'cache-control': SHARED }
  return { body, headers: Object.freeze(headers) }
}

/** Tells how many seconds old an answer is that was given because the ledger is away. Rule C10. */
const STALE_HEADER = 'seatwise-stale'

export function tellStale(reply: FastifyReply, staleSeconds: number | null): void {
  if (staleSeconds !== null) reply.header(STALE_HEADER, staleSeconds)
}

/** Sends the document, or 304 to a client that already has it. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  reply.headers(document.headers)
  const known = request.headers['if-none-match']
  if (known !== undefined && isAmong(document.headers.etag, known)) return reply.code(304).send()
  return reply.send(document.body)
}

/** Below, compressing costs more than it saves; an event is smaller, a seat list of more than a hundred seats larger. */
const LARGE_BYTES = 16_384
/** Above, even a thread's time counts: a stadium of 60,000 seats is compressed in a tenth of a second. */
const HUGE_BYTES = 1_048_576
const compress = promisify(brotliCompress)
const compressed = new WeakMap<Document, Promise<Buffer>>()

/** Whether the document is worth compressing, and this client takes it compressed. */
export const goesCompressed = ({ headers }: FastifyRequest, { body }: Document): boolean =>
  body.length >= LARGE_BYTES && /\bbr\b(?!;\s*q=0(?:\D|$))/.test(String(headers['accept-encoding'] ?? ''))

/** Compresses a document once for all who ask for it, in a thread. Its tag is weak then: the bytes are others. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Document,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding')
  const known = request.headers['if-none-match']
  if (known !== undefined && isAmong(document.headers.etag, known)) return sendDocument(request, reply, document)
  let body = compressed.get(document)
  if (body === undefined) {
    const quality = document.body.length > HUGE_BYTES ? 1 : 4
    body = compress(document.body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
    compressed.set(document, body)
  }
  const bytes = await body
  reply.headers({ ...document.headers, etag: `W/${document.headers.etag}`, 'content-encoding': 'br' })
  return reply.send(bytes)
}

export function sendOwnDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  return sendDocument(request, reply, { ...document, headers: { ...document.headers, 'cache-control': OWN } })
}

/** Weak tags match too: a proxy that compresses the answer makes the tag weak. */
function isAmong(etag: string, header: string): boolean {
  return header === etag || header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
