import { WORDS } from '@seatwise/web'
import { beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { until } from '../../support/reservation.ts'
import { forEachMode, type JoinAnswer, type RoomBench } from '../../support/room.ts'

interface Verdict {
  id: string
  ticketId: string
  refusals: number
  appealedAt: string | null
  standsAt: string | null
}

forEachMode('devices', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  const joinWith = (room: string, cookie: string, as?: string): Promise<Answer> =>
    bench.call('POST', `${room}/queue/join`, {
      ...(as === undefined ? {} : { as }),
      body: {},
      headers: cookie === '' ? {} : { cookie },
    })
  const verdicts = async (room: string): Promise<Verdict[]> =>
    (await bench.call('GET', `${room}/queue/verdicts`, { as: bench.organizer.authorization })).json<{
      items: Verdict[]
    }>().items
  const verdictOf = (answer: Answer): Pick<Verdict, 'id' | 'appealedAt'> =>
    expectError(answer, 409, 'DUPLICATE_DEVICE').verdict as Pick<Verdict, 'id' | 'appealedAt'>
  /** A room in which a device has a guest's ticket. */
  const room = async (settings: object = {}): Promise<{ room: string; cookie: string; first: JoinAnswer }> => {
    const path = await bench.sale({ paused: true, ...settings })
    const answer = await joinWith(path, '')
    expect(answer.statusCode).toBe(200)
    return { room: path, cookie: deviceCookie(answer), first: answer.json<JoinAnswer>() }
  }

  it('[R117] [R118] a guest on a device that has a ticket is refused, told why, and gets none until the ticket is over', async () => {
    const { room: path, cookie, first } = await room()
    expect(verdictOf(await joinWith(path, cookie))).toEqual({ id: expect.any(String), appealedAt: null })
    // The same visitor has a ticket, and an account is no guest.
    expect((await joinWith(path, cookie, `Bearer ${first.accessToken}`)).json()).toMatchObject({
      ticketId: first.ticketId,
    })
    expect((await joinWith(path, cookie, bench.buyer())).statusCode).toBe(200)
    expect((await joinWith(await bench.sale({ paused: true }), cookie)).statusCode).toBe(200)
    await bench.call('DELETE', `${path}/queue`, { ticket: first.ticketToken })
    expect((await joinWith(path, cookie)).statusCode).toBe(200)
  })

  it('[R117] a cookie that was altered, or signed elsewhere, counts as none', async () => {
    const { room: path, cookie } = await room()
    const altered = cookie.replace(/_1\./, '_2.')
    expect(altered).not.toBe(cookie)
    expect((await joinWith(path, altered)).statusCode).toBe(200)
    expect((await joinWith(path, `${cookie.slice(0, -2)}AA`)).statusCode).toBe(200)
    expect((await joinWith(path, cookie)).statusCode).toBe(409)
  })

  it('[R118] a room sets how many guests a device may have; 0 sets no limit and no cookie', async () => {
    const { room: path, cookie } = await room({ guestsPerDevice: 2 })
    const second = await joinWith(path, cookie)
    expect(second.statusCode).toBe(200)
    expect((await joinWith(path, deviceCookie(second))).statusCode).toBe(409)
    const free = await bench.sale({ paused: true, guestsPerDevice: 0 })
    const answers = [await joinWith(free, deviceCookie(second)), await joinWith(free, deviceCookie(second))]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(answers.map(({ headers }) => String(headers['set-cookie']).includes('seatwise-device'))).toEqual([
      false,
      false,
    ])
  })

  it('[R119] the visitor asks, the operator lets the ticket stand, and the device draws one more', async () => {
    const { room: path, cookie, first } = await room()
    const { id } = verdictOf(await joinWith(path, cookie))
    const appeal = (headers: Record<string, string>) =>
      bench.call('POST', `${path}/queue/verdicts/${id}/appeal`, { headers })
    expectError(await appeal({}), 404, 'NOT_FOUND')
    expect((await appeal({ cookie })).statusCode).toBe(202)
    expect(verdictOf(await joinWith(path, cookie))).toEqual({ id, appealedAt: expect.any(String) })
    const [listed] = await verdicts(path)
    expect(listed).toMatchObject({ id, ticketId: first.ticketId, refusals: 2, standsAt: null })

    const stand = (as: string) => bench.call('POST', `${path}/queue/verdicts/${id}/stand`, { as })
    expectError(await stand(bench.buyer()), 403, 'FORBIDDEN')
    expect((await stand(bench.organizer.authorization)).json()).toMatchObject({ id, standsAt: expect.any(String) })
    expect((await stand(bench.organizer.authorization)).statusCode).toBe(200)
    const trail = await bench.call('GET', `${path}/trail`, { as: bench.organizer.authorization })
    expect(trail.json<{ items: { kind: string }[] }>().items.map(({ kind }) => kind)).toContain('verdict.overturned')

    const second = await joinWith(path, cookie)
    expect(second.json()).toMatchObject({ status: 'waiting', rank: 1 })
    const third = verdictOf(await joinWith(path, deviceCookie(second)))
    expect(third.id).not.toBe(id)
    expectError(
      await bench.call('POST', `${path}/queue/verdicts/none/stand`, { as: bench.organizer.authorization }),
      404,
      'NOT_FOUND',
    )
  })

  it('[R118] a hundred joins with one cookie at once draw one more ticket at most for each that is allowed', async () => {
    const { room: path, cookie } = await room()
    const answers = await Promise.all(Array.from({ length: 100 }, () => joinWith(path, cookie)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 409))
    expect(new Set(answers.map((answer) => verdictOf(answer).id)).size).toBe(1)
    expect((await verdicts(path))[0]).toMatchObject({ refusals: 100 })
  })

  it('[R120] refused joins are counted by reason, for every reader', async () => {
    const { room: path, cookie } = await room({ guestsPerAddress: 1 })
    await joinWith(path, cookie)
    await joinWith(path, '')
    await joinWith(path, '')
    await bench.call('POST', `${path}/queue/join`, { body: { priorityCode: 'x' }, as: bench.buyer() })
    const read = async () =>
      (await bench.call('GET', `${path}/queue/refusals`)).json<{ total: number; items: object[] }>()
    await until(async () => (await read()).total === 4)
    expect(await read()).toMatchObject({
      items: [
        { reason: 'crowded_address', count: 3 },
        { reason: 'wrong_code', count: 1 },
      ],
    })
    const page = await bench.call('GET', `${path.replace('/api', '')}/audit`, { headers: { accept: 'text/html' } })
    expect(page.body).toContain(WORDS.en.console.entry.reasons.crowded_address)
  })

  it('[W176] the waiting page tells the visitor in three languages, and its button asks the organiser', async () => {
    const { room: path, cookie } = await room()
    const wait = `${path.replace('/api', '')}/wait`
    const visit = { cookie, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }
    for (const language of ['en', 'ko', 'vi'] as const) {
      const headers = { ...visit, 'accept-language': language }
      const { body } = await bench.call('GET', wait, { headers })
      expect(body).toContain(`<h1>${WORDS[language].wait.deviceTitle}</h1>`)
      expect(body).toContain(`</svg>${WORDS[language].wait.askOrganiser}</button>`)
    }
    const [verdict] = await verdicts(path)
    const own = { cookie, origin: 'http://localhost', host: 'localhost', 'sec-fetch-site': 'same-origin' }
    const form = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await bench.call('POST', `${wait}/appeal`, { headers: form })).statusCode).toBe(303)
    const { body } = await bench.call('GET', wait, { headers: visit })
    expect(body).toContain(verdict?.id.slice(0, 8).toUpperCase())
    expect(body).not.toContain(`</svg>${WORDS.en.wait.askOrganiser}</button>`)
    await bench.call('POST', `${path}/queue/verdicts/${verdict?.id}/stand`, { as: bench.organizer.authorization })
    const joined = await bench.call('GET', wait, { headers: visit })
    expect(joined.body).not.toContain(`<h1>${WORDS.en.wait.deviceTitle}</h1>`)
    expect(joined.headers['set-cookie']).toEqual(expect.arrayContaining([expect.stringContaining('seatwise-device')]))
  })
})

/** As a browser sends it back. */
function deviceCookie({ headers }: Answer): string {
  const set = [headers['set-cookie'] ?? []].flat().find((cookie) => cookie.startsWith('seatwise-device='))
  return set?.split(';')[0] ?? ''
}
