import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { openTestApp } from '../support/accounts.ts'

interface Described {
  readonly operationId?: string
  readonly description?: string
  readonly security?: readonly Record<string, unknown>[]
  readonly parameters?: readonly (Media & { readonly name: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
  readonly 'x-codeSamples'?: readonly { readonly source: string }[]
}

interface Media {
  readonly schema: object
  readonly example?: unknown
}

/** Every place of an operation that has a schema, and so needs an example. */
function placesOf({ name, parameters = [], requestBody, responses }: Named): { where: string; media: Media }[] {
  const contents = (where: string, content: Readonly<Record<string, Media>> = {}) =>
    Object.entries(content).map(([type, media]) => ({ where: `${name}: ${where} (${type})`, media }))
  return [
    ...parameters.map((media) => ({ where: `${name}: parameter ${media.name}`, media })),
    ...contents('body', requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) => contents(status, content)),
  ]
}

type Named = Described & { readonly name: string }

describe('the description of the API', () => {
  let ledger: Ledger
  let app: App
  let operations: Named[]
  let schemes: Record<string, unknown>
  beforeAll(async () => {
    ledger = await openScratchLedger()
    app = (await openTestApp(ledger)).app
    const document = (await app.inject('/openapi.json')).json<{
      paths: Record<string, Record<string, Described>>
      components: { securitySchemes: Record<string, unknown> }
    }>()
    schemes = document.components.securitySchemes
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method} ${path}` })),
    )
  })
  afterAll(async () => {
    await app.close()
    await ledger.close()
  })

  it('[O95] every operation has an id of its own that programs can use, and a description', () => {
    expect(operations.length).toBeGreaterThan(190)
    const ids = new Map<string, string[]>()
    for (const { operationId = '', name } of operations) ids.set(operationId, [...(ids.get(operationId) ?? []), name])
    expect([...ids].filter(([id, names]) => names.length > 1 || !/^[a-z][A-Za-z0-9]{4,}$/.test(id))).toEqual([])
    const silent = operations.filter(({ description = '' }) => !/^\S.{20,}[.!?]$/s.test(description.trim()))
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  it('[O95] API keys are a security scheme, of the operations that ask for an act and of no other', () => {
    expect(schemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' })
    const taking = operations.filter(({ security = [] }) => security.some((scheme) => 'apiKey' in scheme))
    expect(taking.length).toBeGreaterThan(60)
    // Who may call is told by the same statement that decides it.
    const told = operations.filter(({ description = '' }) => description.includes('For members and API keys'))
    expect(taking.map(({ name }) => name)).toEqual(told.map(({ name }) => name))
  })

  it('[O96] every parameter, body and answer has an example that fits its schema', () => {
    const ajv = new Ajv({ strict: false, validateFormats: true })
    ajvFormats.default(ajv, { mode: 'full' })
    const wrong: string[] = []
    const places = operations.flatMap(placesOf).filter(({ media }) => !('$ref' in media.schema))
    expect(places.length).toBeGreaterThan(550)
    for (const { where, media } of places) {
      if (media.example === undefined) wrong.push(`${where}: no example`)
      else if (media.example === '') wrong.push(`${where}: an empty example`)
      else if (!ajv.validate(media.schema, media.example)) wrong.push(`${where}: ${ajv.errorsText()}`)
    }
    expect(wrong).toEqual([])
  })

  it('[O96] what an operation asks for beside a token is described: keys, tickets and passes', () => {
    const keyed = operations.filter(({ description = '' }) => description.includes('Idempotency-Key'))
    expect(keyed.length).toBeGreaterThan(5)
    const has = ({ parameters = [] }: Named) => parameters.some(({ name }) => name === 'Idempotency-Key')
    expect(keyed.filter((operation) => !has(operation)).map(({ name }) => name)).toEqual([])
    const holders = operations.filter(({ description = '' }) => description.includes('For the holder of a ticket'))
    expect(holders.length).toBeGreaterThan(10)
    for (const { name, security } of holders)
      expect({ name, first: security?.[0] }).toEqual({ name, first: { ticketToken: [] } })
  })

  it('[O96] every operation says what it answers when all is well, and shows a command to try it', () => {
    const silent = operations.filter(({ responses }) => !/[123]\d\d/.test(Object.keys(responses).join()))
    expect(silent.map(({ name }) => name)).toEqual([])
    const odd = operations.filter(({ name, 'x-codeSamples': [sample] = [] }) => {
      const [method = '', path = ''] = name.split(' ')
      const address = new RegExp(`'http://127\\.0\\.0\\.1:3000${path.replace(/\{\w+\}/g, '[^/{}…]+')}[?']`)
      const isMethod = method === 'get' || sample?.source.includes(`-X ${method.toUpperCase()} `) === true
      return !isMethod || !address.test(sample?.source ?? '')
    })
    expect(odd.map(({ name }) => name)).toEqual([])
  })
})
