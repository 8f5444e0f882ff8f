import { describe, expect, test } from 'vitest'
import { newsReachesItsReceivers } from '../../src/checks/service/news-reaches-its-receivers.ts'
import { secretsStayApart } from '../../src/checks/service/secrets-stay-apart.ts'
import { answer, hold, ledger, outcome, sell } from '../history.ts'

const news = (id: string, of: string, type: string, position: number, handed = true) =>
  ({ kind: 'news', news: id, hold: of, type, position, handed }) as const
const delivery = (of: string, deliveredAtMs: number | null, rest: { attempts?: number; setAside?: boolean } = {}) =>
  ({ kind: 'delivery', news: of, receiver: 'shop', attempts: 1, setAside: false, deliveredAtMs, ...rest }) as const
const told = [news('n1', 'a', 'reservation.created', 1), news('n2', 'a', 'purchase.paid', 2)]
const sold = [hold('a', ['1']), sell('a', ['1'])]

describe('I23', () => {
  test('[I23] holds when everything is told, set aside or still to be told, in order', () => {
    const more = [hold('b', ['2']), news('n3', 'b', 'reservation.created', 3, false)]
    const deliveries = [delivery('n1', 10), delivery('n2', 20)]
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...told, ...deliveries, ...more]))).toBe('held')
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...told, delivery('n1', null, { setAside: true })]))).toBe(
      'held',
    )
  })

  test('[I23] is violated by a change that has no news, and by news that is passed over', () => {
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...told.slice(0, 1)]))).toEqual([
      'The sell of hold a has no news',
    ])
    const passedOver = [news('n1', 'a', 'reservation.created', 1, false), news('n2', 'a', 'purchase.paid', 2)]
    const heard = delivery('n2', null)
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...passedOver, heard]))).toEqual([
      'News n1 was passed over',
    ])
    // News without a receiver waits for nothing.
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...passedOver]))).toBe('held')
  })

  test('[I23] is violated by another order, and by news marked as delivered that was never sent', () => {
    const swapped = [delivery('n1', 20), delivery('n2', 10)]
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...told, ...swapped]))).toEqual([
      'shop heard n2 before n1',
    ])
    const waiting = [delivery('n1', null), delivery('n2', 10)]
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...told, ...waiting]))).toEqual([
      'shop heard n2 before n1',
    ])
    const unsent = delivery('n1', 10, { attempts: 0 })
    expect(outcome(newsReachesItsReceivers, ledger([...sold, ...told, unsent]))).toEqual([
      'News n1 is marked as delivered, but was never sent',
    ])
  })

  test('[I23] trusts the records of a receiver over the delivery marks', () => {
    const heard = answer('news', { client: 'shop', effect: 'n1' })
    const deliveries = ledger([...sold, ...told, delivery('n1', 10), delivery('n2', 20)])
    expect(outcome(newsReachesItsReceivers, [...deliveries, ...heard])).toEqual([
      'shop never heard n2, which is marked as delivered',
    ])
  })

  test('[I23] is vacuous without news', () => {
    expect(outcome(newsReachesItsReceivers, ledger(sold))).toBe('vacuous')
  })
})

describe('I24', () => {
  test('[I24] holds when secrets are repeated only to the same visitor', () => {
    const records = [
      ...answer('join', { client: 'ada', identity: 'a', secrets: ['s1', 's2'] }),
      ...answer('join', { client: 'another tab of ada', identity: 'a', secrets: ['s1'] }),
      ...answer('join', { client: 'bob', identity: 'b', secrets: ['s3'] }),
    ]
    expect(outcome(secretsStayApart, records)).toBe('held')
  })

  test('[I24] is violated by a secret in the answer to another visitor', () => {
    const records = [
      ...answer('join', { client: 'ada', identity: 'a', secrets: ['s1'] }),
      ...answer('status', { client: 'bob', identity: 'b', secrets: ['s1'] }),
    ]
    expect(outcome(secretsStayApart, records)).toEqual(['bob was told a secret of ada'])
  })

  test('[I24] is vacuous when no secret was written down', () => {
    expect(outcome(secretsStayApart, answer('join', { client: 'ada' }))).toBe('vacuous')
  })
})
