import { SeatwiseError } from '@seatwise/domain'
import Type, { type TObject, type TProperties } from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { type App, comesFromOwnPages, compileFormValidator, findStrangeText } from '../../http/index.ts'
import { sentFromElsewhere } from './trouble.ts'

/**
 * The fields of a form, taken from the schema of the API operation it calls: what the API refuses, its form refuses,
 * too. Every form declares its fields; any other field is refused.
 */
export function formOf<Fields extends TProperties>(fields: Fields): TObject<Fields> {
  return Type.Object(fields, { additionalProperties: false })
}

/** A form that is only a button. */
export const ButtonForm = formOf({})

/** Where to go afterwards. The API has no such field; `ownPath` reads it, and returns home for any path it rejects. */
export const NextField = Type.Optional(Type.String())

/** Forms work without a script, and only from our own pages: otherwise another site could submit our forms. */
export function readForms(app: App, { config }: BoxOfficeServices): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(...readFields(String(body))),
  )
  app.setValidatorCompiler(compileFormValidator)
  app.addHook('preValidation', (request, _reply, done) => {
    // A script that submits a button sends no body, not even a content type.
    if (request.method !== 'GET' && request.method !== 'HEAD') request.body ??= {}
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    done(isRead || comesFromOwnPages(config, request) ? undefined : sentFromElsewhere())
  })
}

/** The first value of each field. */
function readFields(body: string): [SeatwiseError | null, Record<string, string>?] {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(body)) fields[name] ??= value
  return findStrangeText(fields, 'body') === null ? [null, fields] : [new SeatwiseError('BAD_REQUEST')]
}
