import { faults } from '@seatwise/domain'
import { waitUntil } from '@seatwise/testbench'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

/** More than may wait before a rush has shown how fast the server is. */
const CROWD = 6_000

forEachMode('a rush', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })
  afterEach(() => faults.disarm())

  it('[R80] [R81] joins that would wait too long are refused before their callers are identified, and return spread out', async () => {
    const room = await bench.sale({ paused: true })
    const join = (as: string) => bench.call('POST', `${room}/queue/join`, { as, body: {} })
    // The room opens at its first request.
    await bench.join(room)
    const slow = Promise.withResolvers<void>()
    faults.arm('join.before-apply', () => slow.promise)
    const rush = Promise.all(Array.from({ length: CROWD }, () => join(bench.buyer())))
    await waitUntil('a stranger is refused', async () => (await join('Bearer nonsense')).statusCode === 503)
    slow.resolve()
    const answers = await rush
    const refused = answers.filter(({ statusCode }) => statusCode !== 200)
    const seconds = new Set<number>()
    for (const answer of refused) {
      expectError(answer, 503, 'OVERLOADED')
      seconds.add(Number(answer.headers['retry-after']))
    }
    expect([seconds.size > 1, Math.min(...seconds) >= 1, Math.max(...seconds) <= 16]).toEqual([true, true, true])

    // The refused drew no ticket, and when the rush is over the door is open again.
    await waitUntil('a stranger is identified', async () => (await join('Bearer nonsense')).statusCode === 401)
    const { position } = await bench.join(room)
    expect(position).toBe(answers.length - refused.length + 2)
  })

  it('[W41] the waiting page says so kindly, and joins by itself when it was told to, with and without a script', async () => {
    const api = await bench.sale({ guests: true, guestsPerAddress: 0, paused: true })
    const page = `${api.replace('/api', '')}/wait`
    const visit = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    await bench.join(api)
    const slow = Promise.withResolvers<void>()
    faults.arm('join.before-apply', () => slow.promise)
    let refused = 0
    const join = async (): Promise<void> => {
      const { statusCode } = await bench.call('POST', `${api}/queue/join`, { body: {} })
      if (statusCode === 503) refused += 1
    }
    const crowd = (): Promise<unknown> => Promise.all(Array.from({ length: CROWD }, join))
    const first = crowd()
    // The call that is under way takes some of those who wait: the second crowd fills their places, so that a page finds none.
    const before = await waitUntil('the crowd is there', async () => (refused > 0 ? refused : null))
    const rush = Promise.all([first, crowd()])
    await waitUntil('no place is left', async () => refused > before)
    const busy = await waitUntil('the page is kept out', async () => {
      const answer = await bench.call('GET', page, { headers: visit })
      return answer.statusCode === 503 ? answer : null
    })
    const seconds = Number(busy.headers['retry-after'])
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(busy.body).toContain('data-state="rush"')
    expect(busy.body).toContain(`<noscript><meta http-equiv="refresh" content="${seconds}; url=${page}"></noscript>`)
    expect(busy.body).toContain(`"retrySeconds":${seconds}`)
    slow.resolve()
    await rush
    await waitUntil(
      'the page joins',
      async () => (await bench.call('GET', page, { headers: visit })).statusCode === 200,
    )
  })
})
