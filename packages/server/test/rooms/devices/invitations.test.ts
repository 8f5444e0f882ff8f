import { WORDS } from '@seatwise/web'
import { beforeAll, expect, it } from 'vitest'
import { newEmail, PASSWORD, registerVisitor, type Visitor } from '../../support/accounts.ts'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { until } from '../../support/reservation.ts'
import { forEachMode, type JoinAnswer, type RoomBench } from '../../support/room.ts'

forEachMode('invited entry', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  const invited = (room: object = {}): Promise<string> => bench.sale({ paused: true, entry: 'invited', ...room })
  const operate = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, headers = {}): Promise<Answer> =>
    bench.call(method, url, { as: bench.organizer.authorization, headers, ...(body === undefined ? {} : { body }) })
  const join = (room: string, invitation?: string, as?: string): Promise<Answer> =>
    bench.call('POST', `${room}/queue/join`, {
      ...(as === undefined ? {} : { as }),
      body: invitation === undefined ? {} : { invitation },
    })
  const verify = async ({ id }: Visitor): Promise<void> => {
    await bench.server.ledger.db.updateTable('users').set({ verified_at: new Date() }).where('id', '=', id).execute()
  }

  it('[R121] [R122] an invited address joins once its owner has proven it, and others do not', async () => {
    const [room, ada, eve] = [
      await invited(),
      await registerVisitor(bench.server.app),
      await registerVisitor(bench.server.app),
    ]
    const list = { addresses: [ada.email.toUpperCase(), newEmail()] }
    expect((await operate('POST', `${room}/invitations`, list)).json()).toEqual({ added: 2 })
    expect((await operate('POST', `${room}/invitations`, list)).json()).toEqual({ added: 0 })
    expectError(await join(room, undefined, ada.authorization), 403, 'NOT_INVITED')
    await verify(ada)
    await verify(eve)
    expect((await join(room, undefined, ada.authorization)).statusCode).toBe(200)
    expectError(await join(room, undefined, eve.authorization), 403, 'NOT_INVITED')
    expectError(await join(room), 403, 'NOT_INVITED')
    // Lists of two rooms cannot be compared, and neither shows an address.
    const other = await invited()
    await operate('POST', `${other}/invitations`, { addresses: [ada.email] })
    const rows = await bench.server.ledger.db.selectFrom('room_invitations').selectAll().execute()
    expect(JSON.stringify(rows).toLowerCase()).not.toContain(ada.email.split('@')[0]?.toLowerCase())
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length)
    await until(async () => {
      const { items } = (await bench.call('GET', `${room}/queue/refusals`)).json<{ items: object[] }>()
      return JSON.stringify(items).includes('"not_invited","count":3')
    })
  })

  it('[R121] a room for proven addresses takes no guest and no other account; a live ticket outlasts the setting', async () => {
    const room = await bench.sale({ paused: true, entry: 'verified' })
    const [ada, bob] = [await registerVisitor(bench.server.app), await registerVisitor(bench.server.app)]
    expectError(await join(room), 403, 'NOT_VERIFIED')
    expectError(await join(room, undefined, ada.authorization), 403, 'NOT_VERIFIED')
    await verify(ada)
    const { ticketId } = (await join(room, undefined, ada.authorization)).json<JoinAnswer>()
    await bench.operate(room, { entry: 'anyone' })
    const second = (await join(room, undefined, bob.authorization)).json<JoinAnswer>()
    await bench.operate(room, { entry: 'invited' })
    expect((await join(room, undefined, bob.authorization)).json()).toMatchObject({ ticketId: second.ticketId })
    expect((await join(room, undefined, ada.authorization)).json()).toMatchObject({ ticketId })
  })

  it('[R123] a code is its first visitor’s alone, also after leaving, and follows a guest to the account', async () => {
    const room = await invited()
    expect((await operate('POST', `${room}/invitations`, { codes: ['Winter-2026', 'SPRING-2026'] })).json()).toEqual({
      added: 2,
    })
    const guest = (await join(room, 'winter 2026')).json<JoinAnswer>()
    expectError(await join(room, 'WINTER2026'), 403, 'NOT_INVITED')
    await bench.call('DELETE', `${room}/queue`, { ticket: guest.ticketToken })
    const as = `Bearer ${guest.accessToken}`
    const again = await join(room, undefined, as)
    expect(again.statusCode).toBe(200)
    const body = { email: newEmail(), password: PASSWORD, name: 'Ada' }
    const headers = { 'seatwise-guest': guest.accessToken ?? '' }
    const account = (await bench.call('POST', '/api/auth/register', { body, headers })).json<{
      accessToken: string
      tickets: { ticketToken: string }[]
    }>()
    await bench.call('DELETE', `${room}/queue`, { ticket: account.tickets[0]?.ticketToken ?? '' })
    expect((await join(room, undefined, `Bearer ${account.accessToken}`)).statusCode).toBe(200)
    const counts = (await operate('GET', `${room}/invitations`)).json()
    expect(counts).toEqual({ items: [{ kind: 'code', total: 2, used: 1 }] })
    expect((await operate('DELETE', `${room}/invitations?kind=code`)).json()).toEqual({ removed: 1 })
    expectError(await join(room, 'SPRING-2026'), 403, 'NOT_INVITED')
  })

  it('[R123] of visitors who join with one code at once one gets in, and a refused join leaves the code unused', async () => {
    const room = await invited({ maxWaiting: 1 })
    const drawn = (await operate('POST', `${room}/invitations`, { count: 2 })).json<{ codes: [string, string] }>().codes
    expect(drawn).toEqual([expect.stringMatching(/^[2-9A-Z]{12}$/), expect.stringMatching(/^[2-9A-Z]{12}$/)])
    const answers = await Promise.all(Array.from({ length: 20 }, () => join(room, drawn[0])))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    // The line is full: the second code stays free for when there is room again.
    expectError(await join(room, drawn[1]), 409, 'QUEUE_FULL')
    await bench.operate(room, { maxWaiting: 5 })
    expect((await join(room, drawn[1])).statusCode).toBe(200)
  })

  it('[R123] a priority code of the room lets in', async () => {
    const room = await invited()
    const body = { class: 1, count: 1, expiresAt: new Date(Date.now() + 60_000) }
    const { codes } = (await operate('POST', `${room}/priority-codes`, body)).json<{ codes: string[] }>()
    const joined = await bench.call('POST', `${room}/queue/join`, { body: { priorityCode: codes[0] } })
    expect(joined.statusCode).toBe(200)
  })

  it('[R122] a CSV file is read by its first column; bad lines, short codes and other roles are refused', async () => {
    const room = await invited()
    const upload = (kind: string, text: string, as = bench.organizer.authorization) =>
      bench.server.app.inject({
        method: 'POST',
        url: `${room}/invitations.csv?kind=${kind}`,
        headers: { authorization: as, 'content-type': 'text/csv' },
        payload: text,
      })
    const csv =
      '\uFEFFE-Mail;Name\r\n"ada@example.com";Ada\r\n\r\ngrace@example.com;Grace\r\nADA@example.com;Ada again\r\n'
    expect((await upload('address', csv)).json()).toEqual({ added: 2 })
    expectError(await upload('address', 'ada@example.com\nno address\n'), 400, 'BAD_REQUEST')
    expectError(await upload('code', 'SHORT'), 400, 'BAD_REQUEST')
    expectError(await upload('address', 'email\n'), 400, 'BAD_REQUEST')
    expectError(await upload('address', csv, bench.buyer()), 403, 'FORBIDDEN')
    expectError(await operate('POST', `${room}/invitations.csv?kind=code`, { codes: [] }), 400, 'BAD_REQUEST')
    const trail = (await operate('GET', `${room}/trail`)).json<{ items: { kind: string; after: object }[] }>().items
    expect(trail[0]).toMatchObject({ kind: 'invitations.added', after: { kind: 'address', count: 2 } })
  })

  it('[R121] [W177] the waiting page takes the code in a form, in three languages, and says when it does not count', async () => {
    const room = await invited()
    await operate('POST', `${room}/invitations`, { codes: ['AUTUMN-2026'] })
    const wait = `${room.replace('/api', '')}/wait`
    const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }
    for (const language of ['en', 'ko', 'vi'] as const) {
      const { body } = await bench.call('GET', wait, { headers: { ...visit, 'accept-language': language } })
      expect(body).toContain(`<h1>${WORDS[language].wait.invitedTitle}</h1>`)
      expect(body).toContain('name="invitation"')
    }
    const send = (invitation: string) =>
      bench.server.app.inject({
        method: 'POST',
        url: `${wait}/join`,
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ invitation }).toString(),
      })
    expect((await send('WRONG-CODE')).body).toContain(`<p class="notice bad">${WORDS.en.wait.invitationWrong}</p>`)
    expect((await send('autumn 2026')).statusCode).toBe(303)
    const verified = `${(await bench.sale({ paused: true, entry: 'verified' })).replace('/api', '')}/wait`
    expect((await bench.call('GET', verified, { headers: visit })).body).toContain(
      `<h1>${WORDS.en.wait.verifiedTitle}</h1>`,
    )
  })
})

forEachMode('guessing invitations', (open) => {
  it('[R124] wrong codes are limited by sender and room, and a right one is no guess', async () => {
    const bench = await open({ env: { SEATWISE_RATE_LIMITS: 'on' } })
    const [room, other] = [await bench.sale({ paused: true, entry: 'invited' }), await bench.sale({ entry: 'invited' })]
    const as = bench.organizer.authorization
    const codes = ['RIGHT-CODE-1', 'RIGHT-CODE-2']
    await bench.call('POST', `${room}/invitations`, { as, body: { codes } })
    const guess = (path: string, invitation: string) =>
      bench.call('POST', `${path}/queue/join`, { body: { invitation } })
    expect((await guess(room, 'RIGHT-CODE-1')).statusCode).toBe(200)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(room, `WRONG-CODE-${index}`)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([403]))
    const limited = await guess(room, 'RIGHT-CODE-2')
    expectError(limited, 429, 'TOO_MANY_REQUESTS')
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expectError(await guess(other, 'WRONG-CODE-0'), 403, 'NOT_INVITED')
  })
})
