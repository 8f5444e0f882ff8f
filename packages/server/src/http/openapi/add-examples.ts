import type { FastifySchema } from 'fastify'
import { type ExampleSchema, exampleOf } from './example-of.ts'
import { writtenBodyOf } from './written-bodies.ts'

type Parts = 'params' | 'querystring' | 'headers'
interface Media {
  readonly content?: Readonly<Record<string, { readonly schema?: ExampleSchema }>>
}

const JSON_TYPE = 'application/json'
const ADDRESS = 'http://127.0.0.1:3000'
/** Which header proves what, and what stands in the example. */
const PROOFS: Readonly<Record<string, string>> = {
  accessToken: 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9…',
  apiKey: 'Authorization: Bearer swk_…',
  ticketToken: 'Seatwise-Ticket: eyJ0aWNrZXQ…',
  pass: 'Seatwise-Pass: eyJwYXNz…',
}

/**
 * Gives every parameter, body and answer of an operation an example, and the operation a command to try. They follow
 * from the schemas, so that a route that is added tomorrow has them (O96).
 */
export function addExamples(schema: FastifySchema, method: string, url: string): FastifySchema {
  if (schema.hide === true) return schema
  const names = namesOf(url)
  const written = writtenBodyOf(method, url)
  const taken = schema.body as ExampleSchema & Media
  const shown = written === undefined ? taken : { ...taken, examples: [written] }
  const body = schema.body === undefined ? {} : { body: withExample(shown, names) }
  const answers = Object.entries((schema.response ?? {}) as Record<string, ExampleSchema & Media>).map(
    ([status, answer]) => [status, /^[1-3]/.test(status) ? withExample(answer, names) : answer],
  )
  const described = {
    ...schema,
    ...withExamples(schema, 'params', names),
    ...withExamples(schema, 'querystring', names),
    ...withExamples(schema, 'headers', names),
    ...body,
    response: Object.fromEntries(answers),
  }
  const sample = { 'x-codeSamples': [{ lang: 'Shell', source: callOf(described, method, url) }] }
  return { ...described, ...sample }
}

/** `/api/events/:id/codes` is about codes of an event: the nearest word counts most. */
function namesOf(url: string): string[] {
  return url
    .split('/')
    .filter((part) => part !== '' && part !== 'api' && !part.startsWith(':'))
    .toReversed()
}

function withExample<Schema extends ExampleSchema & Media>(schema: Schema, names: readonly string[]): Schema {
  // What is written out for each type of content has its example.
  if (schema.content !== undefined || schema.type === 'null') return schema
  return { ...schema, examples: schema.examples ?? [exampleOf(schema, ['', ...names])] }
}

function withExamples(schema: FastifySchema, part: Parts, names: readonly string[]): Partial<Record<Parts, object>> {
  const described = schema[part] as ExampleSchema | undefined
  if (described?.properties === undefined) return {}
  const properties = Object.entries(described.properties).map(([name, one]) => [
    name,
    { ...one, examples: one.examples ?? [exampleOf(one, [name, ...names])] },
  ])
  return { [part]: { ...described, properties: Object.fromEntries(properties) } }
}

/** For a shell; secrets are cut short. */
function callOf(schema: FastifySchema, method: string, url: string): string {
  const examplesOf = (part: Parts): ReadonlyMap<string, unknown> => {
    const { properties = {} } = (schema[part] ?? {}) as ExampleSchema
    return new Map(Object.entries(properties).map(([name, one]) => [name, one.examples?.[0]]))
  }
  const [params, query] = [examplesOf('params'), examplesOf('querystring')]
  const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params.get(name))))
  const required = ((schema.querystring ?? {}) as { required?: string[] }).required ?? []
  const asked = required.map((name) => [name, String(query.get(name))])
  const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`
  const [proof = {}] = (schema.security ?? []).toReversed()
  const headers = [
    ...Object.keys(proof).map((name) => PROOFS[name] ?? name),
    ...[...examplesOf('headers')].map(([name, value]) => `${name}: ${String(value)}`),
  ]
  const [body] = ((schema.body ?? {}) as ExampleSchema).examples ?? []
  const sent = body === undefined ? [] : [`Content-Type: ${JSON_TYPE}`]
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${ADDRESS}${path}${search}`)}`,
    ...[...headers, ...sent].map((header) => `-H ${quoted(header)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
