import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { openTestApp } from '../support/accounts.ts'

interface Described {
  readonly operationId?: string
  readonly description?: string
  readonly security?: readonly Record<string, unknown>[]
}

describe('the description of the API', () => {
  let ledger: Ledger
  let app: App
  let operations: (Described & { readonly name: string })[]
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
})
