import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectFields, expectRecord, shape } from '@seatwise/testbench'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it } from 'vitest'
import { forExpress, forFastify, forFetch, forHono, forNginx, type Guard } from '../src/index.ts'
import { enter, ROOM_URL, RoomStandIn, SITE } from './room-stand-in.ts'

let room: RoomStandIn
let guard: Guard
let cookie: string
beforeEach(async () => {
  room = await RoomStandIn.open()
  guard = room.guard({ ignore: ['/assets/'] })
  cookie = await enter(guard, await room.pass())
})

const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }

describe('what turns requests into responses', () => {
  type Handle = (path: string, init?: RequestInit) => Promise<Response>
  const site = (request: Request): Response =>
    new Response(`the page ${new URL(request.url).pathname}`, {
      headers: new URL(request.url).pathname === '/thanks' ? { 'Seatwise-Complete': '1', 'set-cookie': 'a=b' } : {},
    })
  const kinds: [string, () => Handle][] = [
    [
      'fetch',
      () => {
        const guarded = forFetch(guard)
        return (path, init) => guarded(new Request(SITE + path, init), site)
      },
    ],
    [
      'Hono',
      () => {
        const app = new Hono()
        app.use(forHono(guard))
        app.all('*', (context) => site(context.req.raw))
        return async (path, init) => await app.request(SITE + path, init)
      },
    ],
  ]

  it.each(kinds)('[G22][G24] %s: the rest waits, those let in see the page', async (_name, open) => {
    const handle = open()
    const sent = await handle('/drop', { headers: page })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringContaining(`${ROOM_URL}/rooms/`)])
    expect((await handle('/drop', { method: 'POST', body: 'x' })).status).toBe(401)
    expect(await (await handle('/drop', { headers: { cookie } })).text()).toBe('the page /drop')
    expect(await (await handle('/assets/a.css')).text()).toBe('the page /assets/a.css')
    expect((await handle('/assets/../drop', { headers: page })).status).toBe(303)
  })

  it.each(kinds)('[G25] %s: a pass is traded for a session', async (_name, open) => {
    const handle = open()
    const body = new URLSearchParams({ pass: await room.pass({ sub: 'tkt_other' }), to: '/drop' })
    const entered = await handle('/.seatwise/enter', { method: 'POST', body, headers: { origin: ROOM_URL } })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `${SITE}/drop`])
    const session = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    expect((await handle('/drop', { headers: { cookie: session } })).status).toBe(200)
    const huge = new URLSearchParams({ pass: 'x'.repeat(10_000) })
    expect((await handle('/.seatwise/enter', { method: 'POST', body: huge })).status).toBe(403)
  })

  it.each(kinds)('[G31] %s: a header of the answer frees the slot', async (_name, open) => {
    const handle = open()
    const thanks = await handle('/thanks', { headers: { cookie } })
    expect(await thanks.text()).toBe('the page /thanks')
    expect(thanks.headers.get('seatwise-complete')).toBeNull()
    expect(thanks.headers.getSetCookie()).toEqual(['a=b', expect.stringContaining('Max-Age=0')])
    await guard.settled()
    expect(room.completed).toHaveLength(1)
  })

  it('[G31] a platform that freezes programs is told what is still going on', async () => {
    const kept: Promise<unknown>[] = []
    const request = new Request(`${SITE}/thanks`, { headers: { cookie } })
    await forFetch(guard)(request, site, { waitUntil: (promise) => kept.push(promise) })
    await Promise.all(kept)
    expect(room.completed).toHaveLength(1)
  })
})

describe('Express', () => {
  it('[G25][G31] a body that was parsed before, a router with a prefix, headers given late', async () => {
    const app = express()
    app.use(express.urlencoded())
    app.use('/shop', forExpress(guard))
    app.use('/.seatwise', forExpress(guard))
    app.get('/shop/thanks', (_request, response) => {
      response.writeHead(200, { 'Seatwise-Complete': '1' }).end('thanks')
    })
    app.use((_request, response) => void response.send('open'))
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init })
    try {
      expect(await (await ask('/')).text()).toBe('open')
      const refused = expectRecord(await (await ask('/shop/thanks?x')).json())
      expect(refused.path).toBe('/shop/thanks?x')
      const body = new URLSearchParams({ pass: await room.pass({ sub: 'tkt_other' }), to: '/shop/thanks' })
      const entered = await ask('/.seatwise/enter', { method: 'POST', body, headers: { origin: ROOM_URL } })
      expect(entered.headers.get('location')).toBe(`${SITE}/shop/thanks`)
      const thanks = await ask('/shop/thanks', { headers: { cookie } })
      expect([thanks.headers.get('seatwise-complete'), await thanks.text()]).toEqual([null, 'thanks'])
      await guard.settled()
      expect(room.completed).toHaveLength(1)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})

describe('Fastify', () => {
  const SESSION = shape.fields({ ticketId: shape.text })

  it('[G29][G31] all routes of its instance, and who is in', async () => {
    const app = Fastify()
    await app.register(forFastify(guard))
    app.get('/who', (request) => expectFields(request, { seatwise: SESSION }).seatwise.ticketId)
    app.get('/thanks', (_request, reply) =>
      reply.header('Seatwise-Complete', '1').header('set-cookie', 'a=b').send('thanks'),
    )
    await app.register(async (scope) => void scope.get('/inner', () => 'inner'))
    for (const url of ['/who', '/inner', '/nothing', '/thanks']) {
      expect((await app.inject({ url, headers: page })).statusCode).toBe(303)
      expect((await app.inject({ url, method: 'POST' })).statusCode).toBe(401)
    }
    expect((await app.inject({ url: '/who', headers: { cookie } })).body).toBe('tkt_0198f2a11')
    expect((await app.inject({ url: '/inner', headers: { cookie } })).body).toBe('inner')
    expect((await app.inject({ url: '/nothing', headers: { cookie } })).statusCode).toBe(404)
    const thanks = await app.inject({ url: '/thanks', headers: { cookie } })
    expect(thanks.headers['seatwise-complete']).toBeUndefined()
    expect(thanks.headers['set-cookie']).toEqual(['a=b', expect.stringContaining('Max-Age=0')])
    await app.close()
  })
})

describe('nginx', () => {
  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    forNginx(guard)(new Request(`http://guard${path}`, { headers, ...init }))
  const about = (uri: string, method = 'GET') => ({ 'x-original-uri': uri, 'x-original-method': method })

  it('[G33] its question is answered in the two words it understands, and then in full', async () => {
    expect((await ask('/check', about('/drop'))).status).toBe(401)
    const allowed = await ask('/check', { ...about('/drop'), cookie })
    expect([allowed.status, allowed.headers.get('seatwise-visitor')]).toEqual([204, 'tkt_0198f2a11'])
    expect((await ask('/check', about('/assets/a.css'))).status).toBe(204)
    const sent = await ask('/answer', { ...about('/drop?x=1'), ...page })
    expect(sent.headers.get('location')).toContain('?to=%2Fdrop%3Fx%3D1')
    expect((await ask('/answer', { ...about('/drop', 'POST'), ...page })).status).toBe(401)
  })

  it('[G33] a configuration that does not say which request is meant lets no visitor in', async () => {
    for (const headers of [{}, { 'x-original-uri': '/assets/a.css' }, { 'x-original-method': 'GET' }]) {
      expect((await ask('/check', { cookie, ...headers })).status).toBe(500)
    }
    expect((await ask('/other', { cookie })).status).toBe(404)
    // The door itself is not behind the question.
    expect((await ask('/check', about('/.seatwise/enter', 'POST'))).status).toBe(401)
  })
})
