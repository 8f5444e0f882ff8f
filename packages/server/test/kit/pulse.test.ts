import { LedgerUnreachable } from '@seatwise/ledger'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pulse } from '../../src/kit/pulse.ts'

/** A ledger that answers, is silent or is gone, as the test says; time is the test's. */
function bench() {
  const ledger: { state: 'there' | 'silent' | 'gone' } = { state: 'there' }
  const asked = { probes: 0, reads: 0 }
  const silent: (() => void)[] = []
  const answer = (): Promise<string> => {
    if (ledger.state === 'gone') return Promise.reject(new LedgerUnreachable('gone'))
    if (ledger.state === 'there') return Promise.resolve('right')
    return new Promise((resolve) => silent.push(() => resolve('right')))
  }
  const news: string[] = []
  const pulse = new Pulse({
    probe: () => {
      asked.probes += 1
      return answer()
    },
    onAway: () => news.push('away'),
    onReturn: () => news.push('back'),
  })
  const read = (): Promise<string> =>
    pulse.ask(() => {
      asked.reads += 1
      return answer()
    })
  /** The ledger answers, also what it was asked while it was silent. */
  const comeBack = (): void => {
    ledger.state = 'there'
    for (const release of silent.splice(0)) release()
  }
  return { pulse, ledger, asked, news, read, comeBack }
}

describe('the pulse of the ledger', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('[C11] a silent ledger costs the first reader 1.2 s, and later readers nothing', async () => {
    const { pulse, ledger, asked, news, read } = bench()
    ledger.state = 'silent'
    const first = expect(read()).rejects.toThrow('The ledger is silent')
    await vi.advanceTimersByTimeAsync(1_200)
    await first
    expect(pulse.isAway).toBe(true)
    await Promise.all(Array.from({ length: 1_000 }, () => expect(read()).rejects.toThrow('The ledger is away')))
    expect(asked.reads).toBe(1)
    expect(news).toEqual(['away'])
    pulse.close()
  })

  it('[C11] a slow read beside a probe that is answered goes on', async () => {
    const { pulse, asked, comeBack, ledger } = bench()
    const slow = Promise.withResolvers<string>()
    const answer = pulse.ask(() => slow.promise)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked.probes).toBe(1)
    expect(pulse.isAway).toBe(false)
    slow.resolve('late and right')
    expect(await answer).toBe('late and right')
    ledger.state = 'silent'
    comeBack()
  })

  it('[C11] its return is noticed within a second, without readers', async () => {
    const { pulse, ledger, news, read } = bench()
    ledger.state = 'gone'
    await expect(read()).rejects.toThrow('gone')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(pulse.isAway).toBe(true)
    ledger.state = 'there'
    await vi.advanceTimersByTimeAsync(1_000)
    expect(news).toEqual(['away', 'back'])
    expect(await read()).toBe('right')
    pulse.close()
  })

  it('[C11] a silent ledger is probed by at most three at a time, and a late answer counts', async () => {
    const { pulse, ledger, asked, read, comeBack } = bench()
    ledger.state = 'silent'
    const first = expect(read()).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(60_000)
    await first
    expect(asked.probes).toBe(3)
    comeBack()
    await vi.advanceTimersByTimeAsync(0)
    expect(pulse.isAway).toBe(false)
    pulse.close()
  })

  it('[C11] an error of the statement is no absence', async () => {
    const { pulse } = bench()
    await expect(pulse.ask(() => Promise.reject(new Error('syntax')))).rejects.toThrow('syntax')
    expect(pulse.isAway).toBe(false)
  })
})
