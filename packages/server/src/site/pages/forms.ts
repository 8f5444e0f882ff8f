import { SeatwiseError } from '@seatwise/domain'
import Type, { type TObject, type TProperties } from 'typebox'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { type App, comesFromOwnPages, compileFormValidator, findStrangeText } from '../../http/index.ts'
import { sentFromElsewhere } from './trouble.ts'

/**
 * The fields of a form, which are those of the API operation it ends in, taken from that operation's own schema: what the
 * API refuses, its form refuses, too. Every form says what it takes; a field that it does not name is refused.
 */
export function formOf<Fields extends TProperties>(fields: Fields): TObject<Fields> {
  return Type.Object(fields, { additionalProperties: false })
}

/** A form that is only a button. */
export const ButtonForm = formOf({})

/** Where to go afterwards. The API has no such field; `ownPath` reads it, and leads home from anything it does not like. */
export const NextField = Type.Optional(Type.String())

/** Forms work without a script, and only from our own pages: another site could otherwise press our buttons. */
export function readForms(app: App, { config }: BoxOfficeServices): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(...readFields(String(body))),
  )
  app.setValidatorCompiler(compileFormValidator)
  app.addHook('preValidation', (request, _reply, done) => {
    // A button pressed by a program sends nothing at all, not even a type.
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
