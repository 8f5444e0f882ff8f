import { suiteSeed, waitUntil } from '@seatwise/testbench'
import fc, { array, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { listen } from '../support/realtime.ts'
import { HOUSE, typeIdsOf, type WireReservation } from '../support/reservation.ts'
import { forEachMode, type RoomBench } from '../support/room.ts'
import { expectToldTheSame, Listener, type Told } from './told-support.ts'

const ACTS = [
  ...['join', 'look', 'claim', 'claim', 'extend', 'reserve', 'reserve', 'cancel', 'pay', 'complete', 'leave'],
  ...['terminate', 'handOver'],
] as const
const VISITORS = 4
const RUNS = 6
const PRESENT = { ratePerMinute: 60_000, burst: 100, heartbeatTimeoutSeconds: 600, graceSeconds: 600 }

forEachMode('what a visitor is told', (open) => {
  let bench: RoomBench
  let url: string
  const listeners: Listener[] = []
  beforeAll(async () => {
    bench = await open()
    url = await listen(bench)
  })
  afterEach(() => {
    for (const { ears } of listeners.splice(0)) for (const ear of ears) ear.close()
  })

  const newListener = (sale: string, index: number): Listener => {
    // A guest, and accounts with and without a name that must be escaped.
    const names = ['', 'Ada', 'Bob "the\\b" <Builder>\u2028', 'Ngô Bảo Châu']
    const authorization = index % VISITORS === 0 ? null : bench.buyer(names[index % VISITORS])
    const listener = new Listener(bench, url, sale, `visitor ${index}`, authorization)
    listeners.push(listener)
    return listener
  }

  /** Does what the visitor wants, whether or not it is possible now. */
  const perform = async (visitor: Listener, act: (typeof ACTS)[number], typeId: string): Promise<void> => {
    if (visitor.ticket === '' || act === 'join') return void (await expectToldTheSame(visitor, await visitor.join()))
    const told = await visitor.status()
    const reservation = told.reservation as WireReservation | undefined
    const isOver = told.status === 'completed' || told.status === 'expired'
    switch (act) {
      case 'look':
        return
      case 'claim':
      case 'extend':
      case 'complete':
        return void (await visitor.act('POST', `/queue/${act}`))
      case 'leave':
        return void (await visitor.act('DELETE', '/queue'))
      case 'handOver':
        // A device that took the place over cannot hand it on.
        if (!isOver && !visitor.isSecondDevice) await expectToldTheSame(visitor, await visitor.handOver())
        return
      case 'terminate': {
        const as = { as: bench.organizer.authorization, body: { ticketId: told.ticketId } }
        return void (await bench.call('POST', `${visitor.sale}/queue/terminate`, as))
      }
      case 'reserve': {
        const pass = { 'seatwise-pass': String(told.activeToken ?? '') }
        return void (await visitor.buy(`${visitor.sale}/reservations`, { seatTypeId: typeId, quantity: 1 }, pass))
      }
      case 'cancel': {
        const as = { as: visitor.authorization ?? '' }
        if (reservation) await visitor.ask('DELETE', `/api/reservations/${reservation.id}`, as)
        return
      }
      case 'pay': {
        const body = { reservationId: reservation?.id, paymentMethod: 'sandbox_ok' }
        if (reservation) await visitor.buy('/api/purchases', body)
      }
    }
  }

  it('[R41][U32] joining, status, hand-over, pages and push give the same answer, whatever happened before', async () => {
    const seen = new Set<string>()
    const step = record({ visitor: nat(VISITORS - 1), act: constantFrom(...ACTS) })
    await fc.assert(
      asyncProperty(array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
        const sale = await bench.sale({ ...PRESENT, capacity: 2 }, HOUSE)
        const [typeId = ''] = await typeIdsOf(bench, sale)
        const visitors = Array.from({ length: VISITORS }, (_, index) => newListener(sale, index))
        for (const { visitor, act } of steps) {
          const one = visitors[visitor] as Listener
          await perform(one, act, typeId)
          for (const other of visitors.filter(({ ticket }) => ticket !== '')) {
            const { status, reason, reservation } = await expectToldTheSame(other)
            seen.add(`${status} ${reason ?? ''} ${reservation ? 'reserved' : ''}`.trim())
          }
        }
      }),
      // Not shrunk: each smaller history that fails, too, waits until its time is up.
      { numRuns: RUNS, endOnFailure: true, seed: suiteSeed(), examples: EVERY_STATE.map((steps) => [[...steps]]) },
    )
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...[
          'waiting',
          'admitted',
          'active',
          'active  reserved',
          'completed',
          'expired cancelled',
          'expired terminated',
        ],
      ]),
    )
  }, 120_000)

  it('[R41] a visitor who was passed over is told so by joining, too', async () => {
    const sale = await bench.sale({ capacity: 1, paused: true, heartbeatTimeoutSeconds: 1, graceSeconds: 60 })
    const [silent, present] = [newListener(sale, 1), newListener(sale, 2)]
    await silent.join()
    for (const ear of silent.ears.splice(0)) ear.close() // An open connection is a heartbeat.
    await present.join()
    await untilPassedOver(present)
    // The phase is that of *now*, which may be a second older than the admission.
    await waitUntil('the line is told to be open', async () => {
      const now = await bench.call('GET', `${sale}/queue/now`)
      return now.json<{ phase: string }>().phase === 'open' && (await present.status()).phase === 'open'
    })
    const joined = await silent.join()
    expect(joined).toMatchObject({ status: 'waiting', rank: 0, away: true })
    expect(await expectToldTheSame(silent, joined)).toMatchObject({ away: true })
  })

  it('[R41] an answer from memory, far from the head, has the fields of every other', async () => {
    const sale = await bench.sale({ paused: true, ratePerMinute: 1, burst: 1 })
    const name = 'Bob "the\\b" <Builder>\u2028'
    for (let count = 0; count < 250; count += 50)
      await Promise.all(Array.from({ length: 50 }, () => bench.join(sale, bench.buyer(name))))
    const last = await bench.join(sale, bench.buyer(name))
    const far = await waitUntil('the rank map has the last visitor', async () => {
      await bench.call('GET', `${sale}/queue/now`)
      const status = await bench.status(sale, last.ticketToken)
      return status.exact === false ? status : null
    })
    const { ticketToken: _, ...joined } = last
    expect(Object.keys(far).sort()).toEqual(Object.keys(joined).sort())
    const { ticketId, joinedAt, place } = joined
    expect(far).toMatchObject({ status: 'waiting', ticketId, joinedAt, place, name, avatar: null })
  })

  it('[R41] an ended ticket gives the reason on every route', async () => {
    const brief = { ...PRESENT, capacity: 1 }
    const reasons = await Promise.all([
      endedAs(newListener(await bench.sale({ ...brief, claimSeconds: 1 }), 1)),
      endedAs(newListener(await bench.sale({ ...brief, claimSeconds: 0, sessionSeconds: 1 }), 2)),
      soldOut(),
      saleEnded(),
      notShown(),
    ])
    expect(new Set(reasons)).toEqual(new Set(['no_show', 'timeout', 'sold_out', 'sale_ended']))
  })

  /** Opens the door once the other visitor has been silent for too long; `present` goes in past them. */
  async function untilPassedOver(present: Listener): Promise<void> {
    const from = Date.now()
    await waitUntil('the other was silent for too long', async () => {
      await present.status()
      return Date.now() - from > 1_300
    })
    await bench.operate(present.sale, { paused: false })
    await waitUntil('the present one goes in', async () => (await present.status()).status === 'admitted')
  }

  /** The ticket of a visitor who does nothing more ends by itself. */
  async function endedAs(visitor: Listener): Promise<unknown> {
    if (visitor.ticket === '') await visitor.join()
    await waitUntil('it is over', async () => (await visitor.status()).status === 'expired', { timeoutMs: 20_000 })
    return (await expectToldTheSame(visitor)).reason
  }

  async function soldOut(): Promise<unknown> {
    const sale = await bench.sale({ ...PRESENT, capacity: 1, claimSeconds: 0 }, { totalSeats: 1 })
    const [buyer, waiting] = [newListener(sale, 1), newListener(sale, 2)]
    await buyer.join()
    await waiting.join()
    const told: Told = await waitUntil('the first is in', async () => {
      const status = await buyer.status()
      return status.status === 'active' ? status : null
    })
    const [typeId = ''] = await typeIdsOf(bench, sale)
    await perform(buyer, 'reserve', typeId)
    await perform(buyer, 'pay', typeId)
    expect(told.status).toBe('active')
    return await endedAs(waiting)
  }

  async function saleEnded(): Promise<unknown> {
    const sale = await bench.sale({ ...PRESENT, paused: true }, { salesEndAt: new Date(Date.now() + 4_000) })
    return await endedAs(newListener(sale, 1))
  }

  async function notShown(): Promise<unknown> {
    const sale = await bench.sale({ capacity: 1, paused: true, heartbeatTimeoutSeconds: 1, graceSeconds: 0 })
    const [silent, present] = [newListener(sale, 1), newListener(sale, 2)]
    await silent.join()
    const [ear] = silent.ears
    ear?.close()
    await present.join()
    await untilPassedOver(present)
    // Only a visitor who listens hears of the end. This one must not ask before it: that would bring the ticket back.
    await waitUntil('the ticket is over', async () => {
      const stats = await bench.call('GET', `${sale}/queue/stats`, { as: bench.organizer.authorization })
      return stats.json<{ expired: number }>().expired === 1
    })
    const { reason } = await silent.status()
    expect(await silent.page()).toMatchObject({ status: 'expired', reason })
    return reason
  }
})

/** Each leads to states that a short random history seldom reaches. */
const EVERY_STATE = [
  ['join', 'claim', 'reserve', 'look', 'extend', 'cancel', 'reserve', 'pay', 'join'],
  ['join', 'handOver', 'claim', 'reserve', 'complete', 'join', 'terminate', 'join', 'leave'],
].map((acts) => acts.map((act) => ({ visitor: 1, act: act as (typeof ACTS)[number] })))
