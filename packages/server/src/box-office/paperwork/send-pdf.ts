import { chooseLanguage, type Language } from '@seatwise/web'
import type { FastifyReply, FastifyRequest } from 'fastify'

export function sendPdf(reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `inline; filename="${name}.pdf"`)
    .type('application/pdf')
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** The language that the buyer named, else the first of the browser's that we speak. */
export function languageOf(request: FastifyRequest, named: string | null = null): Language {
  return chooseLanguage({ query: named ?? undefined, cookie: undefined, header: request.headers['accept-language'] })
}
