import { SeatwiseError } from '@seatwise/domain'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import ajvFormats from 'ajv-formats'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import { createTextReader } from '../kit/index.ts'

// Stops at the first error: collecting all of them would let a hostile body waste the server's time.
const OPTIONS: Options = {
  strict: true,
  strictTypes: false,
  allErrors: false,
  useDefaults: true,
  removeAdditional: false,
  // Ajv would accept "Infinity", "1e309", "0x10" and " 5" as numbers, and skip the bounds of some of them.
  coerceTypes: false,
}

/** Strict about types: "5" is not a number, and unknown fields are not silently dropped. */
const validator = new Ajv(OPTIONS)
ajvFormats.default(validator, { mode: 'full' })
// Keywords that OpenAPI shows and the validator ignores.
validator.addKeyword('example')

/**
 * Compiles each schema at the first request that needs it: compiling all routes takes longer than everything else
 * between opening the stores and listening. A test checks that every schema compiles.
 */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  compile(schema, httpPart === 'body' ? null : createTextReader(schema))

/** The same for pages: form fields are text, too. */
export const compileFormValidator: FastifySchemaCompiler<object> = ({ schema }) =>
  compile(schema, createTextReader(schema))

function compile(schema: object, readText: ((data: unknown) => void) | null) {
  let validate: ValidateFunction | undefined
  return (data: unknown) => {
    validate ??= validator.compile(schema)
    readText?.(data)
    return validate(data) ? true : { error: validate.errors ?? [] }
  }
}

/** Names the wrong field and what was expected; never repeats the value, which may be a password. */
export function validationError(errors: readonly FastifySchemaValidationError[], part: string): SeatwiseError {
  const [error] = errors
  if (error === undefined) return new SeatwiseError('BAD_REQUEST')
  const field = `${part}${error.instancePath}`
  const expected = expectedConstant(errors) ?? expectation(error)
  return new SeatwiseError('BAD_REQUEST', { message: `${field} ${expected}`, details: { field } })
}

/** A union of constants fails once for each constant; the message lists them together. */
function expectedConstant(errors: readonly FastifySchemaValidationError[]): string | null {
  const constants = errors.filter(({ keyword }) => keyword === 'const')
  const isUnion = constants.length > 1 && errors.at(-1)?.keyword === 'anyOf' && constants.length === errors.length - 1
  return isUnion ? `must be one of ${constants.map(({ params }) => String(params.allowedValue)).join(', ')}` : null
}

function expectation(error: FastifySchemaValidationError): string {
  const { keyword, params, message = 'is not valid' } = error
  switch (keyword) {
    case 'additionalProperties':
      return `must not have the field "${String(params.additionalProperty).slice(0, 64)}"`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'format':
      return `must be a valid ${String(params.format)}`
    default:
      return message
  }
}
