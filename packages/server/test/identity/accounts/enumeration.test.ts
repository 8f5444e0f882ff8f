import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { openTestApp } from '../../support/accounts.ts'
import { type Asked, KINDS, openCallers } from './enumeration-kit.ts'

const STATUS = {
  'signing in with a password': 401,
  'signing in on the page': 422,
  'asking for a link': 202,
  'asking for a link on the page': 303,
  'a wrong code': 401,
  'a wrong code on the page': 422,
  'a wrong recovery code': 401,
  'a wrong recovery code on the page': 422,
} as const

forEachLedger('who has an account', (open) => {
  let app: App
  let ask: Asked
  beforeAll(async () => {
    const ledger = await open()
    app = (await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } })).app
    ask = await openCallers(app, ledger)
  })
  afterAll(() => app.close())

  it.each(KINDS)(
    '[A125] %s answers known and unknown addresses with the same status, headers and bytes',
    async (kind) => {
      const answers = []
      for (const whose of ['with a password', 'without a password', 'unknown'] as const) {
        const { statusCode, headers, body } = await ask(kind, whose)
        // The time, what is drawn at random for each request, and the length: it follows from the address and the body.
        const { date: _, 'x-request-id': __, 'content-length': ___, 'set-cookie': cookies = [], ...same } = headers
        const names = [cookies].flat().map((cookie) => cookie.split('=')[0])
        answers.push({ statusCode, same, names, body: body.replace(/"timestamp":"[^"]+"/, '') })
      }
      expect(answers[0]?.statusCode).toBe(STATUS[kind])
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    },
  )

  it('[A125] only signing up with a password says that an address is taken', async () => {
    const { statusCode, body } = await ask('signing up with a password', 'with a password')
    expect([statusCode, JSON.parse(body).code]).toEqual([409, 'EMAIL_TAKEN'])
    expect((await ask('signing up with a password', 'unknown')).statusCode).toBe(201)
  })
})
