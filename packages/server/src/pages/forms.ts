import type { FastifyRequest } from 'fastify'
import { comesFromOwnPages } from '../access/own-pages.ts'
import type { App } from '../http-server.ts'
import type { Services } from '../services.ts'
import { sentFromElsewhere } from './trouble.ts'

/** Fields of a form; the first value of each. */
export type Form = Readonly<Record<string, string>>

/** Forms work without a script, and only from our own pages: another site could otherwise press our buttons. */
export function readForms(app: App, { config }: Services): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, fieldsOf(String(body))),
  )
  app.addHook('onRequest', (request, _reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    done(isRead || comesFromOwnPages(config, request) ? undefined : sentFromElsewhere())
  })
}

function fieldsOf(body: string): Form {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(body)) fields[name] ??= value
  return fields
}

export function formOf(request: FastifyRequest): Form {
  return (request.body ?? {}) as Form
}
