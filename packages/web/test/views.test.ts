import type { PlaceState, RoomNow, Waiting } from '@seatwise/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accentFrom, contrast, PAPER } from '../src/accent.ts'
import { LANGUAGES, type Language } from '../src/language.ts'
import { chanceOf } from '../src/views/chance.ts'
import { tellClock, tellWait } from '../src/views/duration.ts'
import { DRAWING, drawLine } from '../src/views/line-drawing.ts'
import { describeWait, type Outside, type WaitFacts } from '../src/views/wait-view.ts'
import { WORDS } from '../src/words/index.ts'

const NOW = 1_800_000_000_000

const room: RoomNow = {
  ...{ seq: 1, epoch: 1, phase: 'open', waiting: 50, active: 1, capacity: 10, ratePerMinute: 60, avgServiceMs: null },
  ...{
    remainingSeats: 90,
    rankMap: [],
    poll: { nearRank: 1, nearMs: 1, farMs: 1, jitter: 0, pushRank: 1 },
    message: null,
    at: '',
  },
}
const known = { ticketId: 't', name: null, avatar: null, joinedAt: '', reach: 'ok', room, viewers: null } as const
const waiting: Waiting = {
  ...{ ...known, status: 'waiting', away: false, rank: 40, position: 41, exact: true, riseReason: null },
  ...{ queueLength: 50, eta: { p50: 1_500, p90: 2_400, basis: 'measured', reason: null } },
  countdown: { at: NOW, ms: 1_500_000, rate: 1, until: NOW },
}
const deadline = { expiresAt: '', endsAt: NOW + 42_000, extended: false }

function factsIn(language: Language): WaitFacts {
  const names = {
    kind: 'event',
    id: 'e1',
    name: 'Aurora',
    opensAt: NOW + 90_000_000,
    to: null,
    timeZone: 'UTC',
  } as const
  return {
    language,
    words: WORDS[language].wait,
    ...names,
    seatsPerBuyerMax: 6,
    awaySeconds: 3_600,
    keepsLine: false,
    hasReturns: false,
    isDrawn: true,
  }
}
const facts = factsIn('en')

const PLACES: readonly (readonly [string, PlaceState | Outside])[] = [
  ['far', waiting],
  [
    'near',
    {
      ...{ ...waiting, position: 2, eta: { p50: 60, p90: 90, basis: 'measured', reason: null } },
      countdown: { at: NOW, ms: 60_000, rate: 1, until: NOW },
    },
  ],
  ['back', { ...waiting, away: true }],
  ['paused', { ...waiting, room: { ...room, phase: 'paused' } }],
  ['pre-queue', { ...waiting, room: { ...room, phase: 'pre' } }],
  ['sold-out', { ...waiting, room: { ...room, phase: 'sold_out' } }],
  ['turn', { ...known, status: 'admitted', ...deadline }],
  ['floor', { ...known, status: 'active', ...deadline, activeToken: '', reservation: null }],
  ['done', { ...known, status: 'completed' }],
  ['moved', { ...known, status: 'moved' }],
  ['lost', { ...known, status: 'lost', code: '' }],
  ...(['no_show', 'timeout', 'cancelled', 'terminated', 'sold_out', 'sale_ended'] as const).map(
    (reason) => [reason, { ...known, status: 'expired', reason }] as const,
  ),
  ...(['before', 'ended', 'sold_out', 'sign_in', 'full', 'guests', 'rush', 'open'] as const).map(
    (why) => [`outside: ${why}`, { status: 'outside', why }] as const,
  ),
]

describe('the waiting page', () => {
  it.each(PLACES)('[W5] %s: there is a headline, and something that one can do or need not', (_name, place) => {
    for (const language of LANGUAGES) {
      const view = describeWait(factsIn(language), place, NOW)
      expect(view.headline).not.toBe('')
      expect(view.answers.at(-1)?.label).toBe(WORDS[language].wait.todo)
      expect(view.aloud).not.toBe('')
      const text = JSON.stringify(view)
      expect(text).not.toMatch(/undefined|NaN|\{\w+\}/)
    }
  })

  it.each(LANGUAGES)('[W290] in front of another site no state speaks of seats or e-tickets, in %s', (language) => {
    const event = factsIn(language)
    const site: WaitFacts = { ...event, kind: 'room' }
    for (const name of ['turn', 'floor', 'done']) {
      const place = PLACES.find(([state]) => state === name)?.[1]
      if (place === undefined) throw new Error(`There is no place for ${name}`)
      const told = (facts: WaitFacts) => describeWait(facts, place, NOW)
      const todo = (facts: WaitFacts) => told(facts).answers.map(({ text }) => text)
      expect(todo(site)).not.toEqual(todo(event))
      expect(JSON.stringify(told(site))).not.toMatch(/seat|e-ticket|좌석|티켓|예매|chỗ để|chọn chỗ|[Vv]é của/)
    }
  })

  it('[W5] a waiting visitor is told that the place is safe, when, what is left, and what to do', () => {
    const view = describeWait(facts, waiting, NOW)
    expect(view).toMatchObject({ state: 'far', number: '41', range: 'about 25–40 minutes', reason: null })
    expect(view.answers.map(({ text }) => text)).toEqual([
      'Your place is kept, even if you reload this page or lose your connection. 40 people are ahead of you.',
      '90 seats are left. That is very likely enough for you.',
      'Keep this page open; it tells you when it’s your turn. If it closes or your device sleeps, come back within 60 minutes and before your turn, or you lose your place.',
    ])
  })

  it('[J1] before the line opens a visitor is told that being early gives no advantage, and then that lots are drawn', () => {
    const early: Waiting = { ...waiting, room: { ...room, phase: 'pre' } }
    const view = describeWait(facts, early, NOW)
    expect(view).toMatchObject({ state: 'pre', headline: 'You’re in the draw', line: null })
    expect(JSON.stringify(view)).toContain('Being early gives no advantage')
    expect(JSON.stringify(describeWait({ ...facts, isDrawn: false }, early, NOW))).not.toContain('no advantage')
    expect(describeWait(facts, early, NOW + 90_000_000)).toMatchObject({ state: 'drawing', number: null })
  })

  it('[W5] what got worse comes with its reason', () => {
    const slower: Waiting = { ...waiting, eta: { p50: 3_000, p90: 4_000, basis: 'measured', reason: 'rate_lowered' } }
    expect(describeWait(facts, slower, NOW).reason).toContain('the organiser slowed the line')
    expect(describeWait(facts, { ...waiting, riseReason: 'came_ahead' }, NOW).reason).toContain('priority')
    const unknown: Waiting = { ...waiting, eta: { p50: 1, p90: 2, basis: 'measured', reason: 'something new' } }
    expect(describeWait(facts, unknown, NOW).reason).toBeNull()
  })

  it('[W5] a visitor who cannot reach the server is told that the place is kept', () => {
    expect(describeWait(facts, { ...waiting, reach: 'offline' }, NOW).trouble).toContain('Your place is kept')
    expect(describeWait(facts, { ...waiting, reach: 'retrying' }, NOW).trouble).toContain('Your place is kept')
  })

  it('[W5] a room that keeps its line when all is sold keeps people in it', () => {
    const soldOut = { ...waiting, room: { ...room, phase: 'sold_out' as const } }
    const view = describeWait({ ...facts, keepsLine: true }, soldOut, NOW)
    expect(view.actions.map(({ name }) => name)).toContain('leave')
    expect(describeWait(facts, soldOut, NOW).actions.map(({ name }) => name)).toEqual(['events', 'event'])
  })

  it('[W5] when all is sold the page leads to the returns list, where there is one', () => {
    const soldOut = { ...waiting, room: { ...room, phase: 'sold_out' as const } }
    const view = describeWait({ ...facts, hasReturns: true }, soldOut, NOW)
    expect(view.actions.map(({ name }) => name)).toEqual(['event', 'events'])
    expect(view.answers.at(-1)?.text).toContain('seats that come back are offered to you')
  })
})

describe('what a view tells', () => {
  it.each([
    [{ from: 10, to: 30 }, 'less than a minute'],
    [{ from: 40, to: 80 }, 'about a minute'],
    [{ from: 70, to: 100 }, 'about 1–2 minutes'],
    [{ from: 1_500, to: 2_400 }, 'about 25–40 minutes'],
    [{ from: 600, to: 600 }, 'about 10–11 minutes'],
    [{ from: 7_200, to: 10_000 }, 'about 2–3 hours'],
  ])('[W6] %j is %s', (seconds, told) => {
    expect(tellWait('en', WORDS.en.wait, seconds)).toBe(told)
  })

  it('[W6] bad news with a reason is told as the new range, though the countdown of the client only slows down', () => {
    const slowed = { at: NOW, ms: 180_000, rate: 0.2, until: NOW + 900_000 }
    const place: Waiting = {
      ...waiting,
      eta: { p50: 900, p90: 1_200, basis: 'measured', reason: 'rate_lowered' },
      countdown: slowed,
    }
    const view = describeWait(facts, place, NOW)
    expect(view.range).toBe('about 15–20 minutes')
    expect(view.reason).toContain('the organiser slowed the line')
    expect(describeWait(facts, place, NOW + 300_000).range).toBe('about 10–15 minutes')
    const swallowed: Waiting = { ...place, eta: { p50: 185, p90: 240, basis: 'measured', reason: null } }
    expect(describeWait(facts, swallowed, NOW).range).toBe('about 3–4 minutes')
  })

  it('[W6] without an estimate the page shows no time', () => {
    const nobodyKnows: Waiting = {
      ...waiting,
      eta: { p50: null, p90: null, basis: 'measured', reason: null },
      countdown: null,
    }
    const told = (remainingSeats: number) => {
      const view = describeWait(facts, { ...nobodyKnows, room: { ...room, remainingSeats } }, NOW)
      expect(view.range).toBeNull()
      return view.answers.map(({ text }) => text)
    }
    expect(told(41)).toContain(WORDS.en.wait.unknown)
    // Those ahead may take all that is left.
    expect(told(40)).toContain(WORDS.en.wait.unknownScarce)
  })

  it('[W6] a configured estimate is called a first one, and an unknown wait is explained by its reason', () => {
    const told = (eta: Waiting['eta']) =>
      describeWait(facts, { ...waiting, eta, countdown: eta.p50 === null ? null : waiting.countdown }, NOW)
    const texts = (eta: Waiting['eta']) => told(eta).answers.map(({ text }) => text)
    const first = { p50: 1_500, p90: 2_400, basis: 'configured', reason: null } as const
    expect(told(first).range).toBe('about 25–40 minutes')
    expect(texts(first)).toContain(WORDS.en.wait.firstEstimate)
    expect(texts({ ...first, basis: 'measured' })).not.toContain(WORDS.en.wait.firstEstimate)
    const scarce = { p50: null, p90: null, basis: 'measured', reason: 'seats_may_run_out' } as const
    expect(texts(scarce)).toContain(WORDS.en.wait.unknownScarce)
  })

  it('[W6] a clock ends when the time does', () => {
    expect([0, 1, 999, 1_000, 61_000, 3_661_000, -5].map(tellClock)).toEqual([
      '0:00',
      '0:01',
      '0:01',
      '0:01',
      '1:01',
      '1:01:01',
      '0:00',
    ])
  })

  it('[W7] is sure only if all visitors ahead may take the most they are allowed to', () => {
    expect(chanceOf(0, 1, 6)).toBe('sure')
    expect(chanceOf(10, 61, 6)).toBe('sure')
    expect(chanceOf(10, 60, 6)).toBe('likely')
    expect(chanceOf(10, 15, 6)).toBe('fair')
    expect(chanceOf(122, 90, 6)).toBe('poor')
    expect(chanceOf(1_000, 90, 6)).toBe('small')
  })

  it('[W8] draws any line with few dots inside the picture, with exactly one that is you', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.nat({ max: 5_000_000 }), (position, behind) => {
        const { dots, peoplePerDot } = drawLine(position, position + behind)
        expect(dots.length).toBeLessThanOrEqual(36)
        expect(dots.filter(({ who }) => who === 'you')).toHaveLength(1)
        expect(new Set(dots.map(({ key }) => key)).size).toBe(dots.length)
        for (const { x } of dots) expect(x).toBeLessThanOrEqual(DRAWING.width)
        const ahead = dots.filter(({ who }) => who === 'ahead').length
        expect(ahead * peoplePerDot).toBeGreaterThanOrEqual(position - 1)
      }),
    )
  })

  it('[W8] a dot keeps its distance from you when the line moves', () => {
    const [before, after] = [drawLine(10, 12), drawLine(9, 11)]
    const step = (drawing: typeof before, key: string) => drawing.dots.find((dot) => dot.key === key)?.x ?? 0
    expect(step(after, '0')).toBeLessThan(step(before, '0'))
    expect(step(before, '0') - step(before, '-3')).toBe(step(after, '0') - step(after, '-3'))
  })

  it('[W4] any colour becomes one that can be read on both papers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const accent = accentFrom(`#${value.toString(16).padStart(6, '0')}`)
        expect(accent).not.toBeNull()
        if (accent === null) return
        expect(contrast(accent.light, PAPER.light)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(accent.dark, PAPER.dark)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(accent.onLight, accent.light)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(accent.onDark, accent.dark)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('[W4] what is no colour is none', () => {
    for (const text of ['red', '#fff', 'url(x)', '#12345g', '#1234567']) expect(accentFrom(text)).toBeNull()
  })
})
