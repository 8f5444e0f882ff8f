import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callWebhook } from '../../src/delivery/webhooks/call-webhook.ts'
import { pinAddress } from '../../src/delivery/webhooks/pin-address.ts'
import { isPublicAddress } from '../../src/delivery/webhooks/public-address.ts'
import type { App } from '../../src/http/http-server.ts'
import { openTestApp, registerVisitor, registerWithRole, type TestServices, type Visitor } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { Receiver } from '../support/news.ts'

describe('webhooks over HTTP', () => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let organizer: Visitor
  let other: Visitor

  beforeAll(async () => {
    ledger = await openScratchLedger()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } }))
    organizer = await registerWithRole(app, ledger, 'organizer')
    other = await registerWithRole(app, ledger, 'organizer')
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
    await ledger.close()
  })

  const make = (payload: object, { authorization } = organizer) =>
    app.inject({ method: 'POST', url: '/api/webhooks', headers: { authorization }, payload })
  const list = async ({ authorization } = organizer) => {
    const answer = await app.inject({ method: 'GET', url: '/api/webhooks', headers: { authorization } })
    return answer.json<{ items: { id: string }[] }>().items
  }
  const remove = (id: string, { authorization } = organizer) =>
    app.inject({ method: 'DELETE', url: `/api/webhooks/${id}`, headers: { authorization } })

  it('[B37] an organiser adds a webhook, sees its secret once, and deletes it', async () => {
    const answer = await make({ url: 'https://example.com/hook?a=1', types: ['purchase.paid'] })
    expect(answer.statusCode).toBe(201)
    const made = answer.json<{ id: string; secret: string }>()
    expect(made).toMatchObject({ url: 'https://example.com/hook?a=1', types: ['purchase.paid'], failures: 0 })
    expect(Buffer.from(made.secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    const [listed] = await list()
    expect(listed).toMatchObject({ id: made.id })
    expect(JSON.stringify(listed)).not.toContain('secret')
    const row = await ledger.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
    expect(row.sealed_secret).not.toContain(made.secret.slice(6, 20))

    expect(await list(other)).toEqual([])
    expectError(await remove(made.id, other), 404, 'NOT_FOUND')
    expectError(await remove('nonsense'), 404, 'NOT_FOUND')
    expect((await remove(made.id)).statusCode).toBe(204)
    expectError(await remove(made.id), 404, 'NOT_FOUND')
  })

  it('[B37] buyers have none, and organisers no more than they need', async () => {
    expectError(await make({ url: 'https://example.com/' }, await registerVisitor(app)), 403, 'FORBIDDEN')
    const answers = await Promise.all(Array.from({ length: 25 }, () => make({ url: 'https://example.com/' }, other)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20)
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 201)) {
      expectError(answer, 409, 'TOO_MANY_WEBHOOKS')
    }
  })

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'nonsense',
    'https://user:password@example.com/',
    'https://example.com/#part',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
  ])('[B37] %s is refused when it is added', async (url) => {
    expectError(await make({ url }), 400, 'BAD_REQUEST')
  })

  it('[B37] unknown fields and types are refused', async () => {
    const url = 'https://example.com/'
    for (const wrong of [{ url, types: ['everything'] }, { url, secret: 'mine' }, {}]) {
      expectError(await make(wrong), 400, 'BAD_REQUEST')
    }
  })
})

/** The least that a receiver reads. */
const BODY = JSON.stringify({ type: 'reservation.created', data: {} })

describe('where webhooks lead', () => {
  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.168.0.1', '192.0.0.8', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', 'fe80::1', 'fc00::1'],
    ...['fd00:ec2::254', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '', 'localhost', '8.8.8.8.8'],
  ])('[B37] %s is not the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    '[B37] %s is the public internet',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it('[B37] a name is resolved once, and the checked address is the one that is called', async () => {
    const receiver = await Receiver.open()
    const answers = ['127.0.0.1', '203.0.113.1']
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return [answers[asked.length - 1] ?? '']
    }
    const call = { url: `http://hook.example:${receiver.port}/`, headers: {}, body: BODY }
    await callWebhook(call, { allowPrivate: true, resolve })
    expect(asked).toEqual(['hook.example'])
    expect(receiver.calls[0]?.headers.host).toBe(`hook.example:${receiver.port}`)
    await receiver.close()
  })

  it('[B37] a name with one private address among public ones is refused', async () => {
    const url = new URL('https://hook.example/')
    const pin = (...addresses: string[]) => pinAddress(url, { allowPrivate: false, resolve: async () => addresses })
    expect(await pin('8.8.8.8', '2606:4700::1111')).toBe('8.8.8.8')
    await expect(pin('8.8.8.8', '10.0.0.1')).rejects.toThrow('not on the public internet')
    await expect(pin('fe80::1')).rejects.toThrow('not on the public internet')
    await expect(pin()).rejects.toThrow('has no address')
    await expect(pinAddress(new URL('https://[::1]/'), { allowPrivate: false })).rejects.toThrow('public internet')
  })

  it('[B37] a receiver that never answers, or never stops answering, costs a bounded time', async () => {
    const silent = createTcpServer((socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const call = { url: `http://127.0.0.1:${port}/`, headers: {}, body: BODY }
    await expect(callWebhook(call, { allowPrivate: true, timeoutMs: 100 })).rejects.toThrow('did not answer in time')
    silent.close()

    const receiver = await Receiver.open()
    receiver.answer((response) => {
      response.writeHead(200)
      response.write('x'.repeat(20_000))
    })
    await callWebhook({ ...call, url: receiver.url }, { allowPrivate: true, timeoutMs: 60_000 })
    receiver.answer((response) => {
      response.writeHead(200)
      response.write('slow')
    })
    const drip = callWebhook({ ...call, url: receiver.url }, { allowPrivate: true, timeoutMs: 100 })
    await expect(drip).rejects.toThrow()
    await receiver.close()
  })
})
