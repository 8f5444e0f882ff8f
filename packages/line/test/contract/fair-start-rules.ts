import { expect, it } from 'vitest'
import type { DrawState, StartState } from '../../src/index.ts'
import { NO_PLACE } from '../../src/index.ts'
import type { OpenRoom, TestRoom } from './test-room.ts'

const NOTE = { mode: 'commit', commitment: 'c0'.repeat(32) } as const
const DRAW: DrawState = { note: NOTE, isNew: true, progress: 'announced', sealAfterMs: 0, drawnBelow: 0 }
const NONE_BEFORE = [NO_PLACE, NO_PLACE, NO_PLACE, NO_PLACE] as const
const REVEALING = { secret: '5e'.repeat(32), lastPlaces: NONE_BEFORE }
const START_MS = 120_000

/** A room that opens two minutes after joining has begun. */
async function openPreQueue(openRoom: OpenRoom, draw: DrawState | null = DRAW): Promise<TestRoom> {
  const room = await openRoom()
  const { now } = await room.now()
  await room.load(3, {
    state: { opensAt: now + START_MS, start: startOf(draw) },
    settings: { capacity: 10, burst: 10, awaySeconds: 60 },
  })
  return room
}

const startOf = (draw: DrawState | null): StartState => ({ joinsFrom: 0, hasStarted: false, draw })

async function order(room: TestRoom): Promise<number[]> {
  return (await room.range(0, 199)).map(({ number }) => number)
}

async function sealAtStart(room: TestRoom): Promise<void> {
  await room.attend(START_MS)
  expect(await room.line.seal(room.at)).toMatchObject({ status: 'sealed' })
}

/** The rules of spec/fair-start.md that a line keeps. */
export function fairStartRules(openRoom: OpenRoom): void {
  it('[J1] joining is possible from the pre-queue on, and admits no visitor before the sale opens', async () => {
    const room = await openPreQueue(openRoom, null)
    const ada = await room.draw('ada')
    expect(await room.admit()).toMatchObject({ admitted: [], heldBy: 'not_open' })
    expect(await room.now()).toMatchObject({ joinsFrom: 0, waiting: 1, draw: null })
    await room.attend(START_MS + 60_000)
    await room.heartbeat(ada)
    expect((await room.admit()).admitted).toHaveLength(1)
  })

  it('[J1] joining is refused before the pre-queue opens', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    const start = { joinsFrom: now + 1_000, hasStarted: false, draw: null }
    await room.load(3, { state: { opensAt: now + START_MS, start } })
    expect(await room.join('ada')).toMatchObject({ status: 'not_started' })
    await room.advance(1_000)
    expect(await room.join('ada')).toMatchObject({ status: 'joined' })
  })

  it('[J2] what is fixed from the first ticket on changes before it, and not after it', async () => {
    const room = await openPreQueue(openRoom)
    const change = { by: 'operator', joinsFrom: 5, onlyWhile: 'unstarted' } as const
    expect(await room.line.change(room.at, { ...change, operation: 'a' })).toMatchObject({ isRefused: false })
    await room.draw('ada')
    const before = await room.now()
    expect(await room.line.change(room.at, { ...change, joinsFrom: 6, operation: 'b' })).toMatchObject({
      isRefused: true,
    })
    expect(await room.now()).toMatchObject({ joinsFrom: 5, seq: before.seq })
    expect(await room.line.change(room.at, { ...change, operation: 'a' })).toMatchObject({ isRefused: false })
  })

  it('[J2] the start moves until the line is sealed', async () => {
    const room = await openPreQueue(openRoom)
    const { now, opensAt } = await room.now()
    const move = { by: 'operator', onlyWhile: 'unsealed' } as const
    const later = await room.line.change(room.at, { ...move, opensAt: opensAt + 1, operation: 'a' })
    const back = await room.line.change(room.at, { ...move, opensAt: now + START_MS, operation: 'b' })
    expect([later, back]).toMatchObject([{ isRefused: false }, { isRefused: false }])
    await sealAtStart(room)
    const late = await room.line.change(room.at, { ...move, opensAt: opensAt + START_MS, operation: 'c' })
    expect(late.isRefused).toBe(true)
  })

  it('[J3] no waiting ticket expires before the draw, and those that were away for too long expire after it', async () => {
    const room = await openPreQueue(openRoom)
    const ada = await room.draw('ada')
    await room.attend(3 * START_MS)
    expect(await room.sweep()).toEqual({ away: 1, expired: 0 })
    await room.line.seal(room.at)
    await room.line.rearrange(room.at, [{ number: ada.number, place: 1 }])
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    await room.line.reveal(room.at, REVEALING)
    expect(await room.sweep()).toEqual({ away: 0, expired: 1 })
  })

  it('[J4] the log announces the draw right after its first entry, unless an earlier epoch did', async () => {
    const room = await openPreQueue(openRoom)
    expect((await room.log()).map(({ change }) => change)).toMatchObject([
      { kind: 'opened' },
      { kind: 'draw', ...NOTE },
    ])
    await room.load(4, { state: { start: startOf({ ...DRAW, isNew: false }) } })
    expect((await room.log()).map(({ change }) => change.kind)).toEqual(['opened'])
  })

  it('[J4] another round is announced by a step of its own', async () => {
    const room = await openPreQueue(openRoom)
    const draw = { mode: 'drand', commitment: NOTE.commitment, chain: 'ab', round: 7 } as const
    await room.line.change(room.at, { by: 'draw', operation: 'a', draw })
    await room.line.change(room.at, { by: 'draw', operation: 'a', draw })
    expect((await room.log()).slice(2).map(({ change }) => change)).toEqual([{ kind: 'draw', ...draw }])
    await room.line.change(room.at, { by: 'operator', operation: 'b', draw: null, onlyWhile: 'unstarted' })
    expect(await room.now()).toMatchObject({ draw: null })
  })

  it('[J5] the line is sealed once, not before the sale opens, with those that wait or are away', async () => {
    const room = await openPreQueue(openRoom)
    await room.draw('ada')
    const bob = await room.draw('bob')
    await room.end(await room.draw('cleo'), 'cancelled')
    await room.attend(START_MS - 5_000)
    await room.heartbeat(bob)
    await room.sweep()
    expect(await room.now()).toMatchObject({ waiting: 1, away: 1 })
    expect(await room.line.seal(room.at)).toMatchObject({ status: 'early' })
    await room.advance(5_000)
    const first = await room.line.seal(room.at)
    expect(await room.line.seal(room.at)).toEqual(first)
    const seals = (await room.log()).filter(({ change }) => change.kind === 'sealed')
    expect(seals.map(({ change }) => change)).toEqual([{ kind: 'sealed', count: 2, nextNumber: 4 }])
    expect(await room.now()).toMatchObject({ draw: 'sealed', drawnBelow: 4 })
  })

  it('[J7] places are given again without effect, also to tickets that are away, and not to those that ended', async () => {
    const room = await openPreQueue(openRoom)
    const [ada, bob, cleo, dan] = [
      await room.draw('ada'),
      await room.draw('bob'),
      await room.draw('cleo'),
      await room.draw('dan'),
    ]
    await sealAtStart(room)
    await room.end(bob, 'cancelled')
    await room.heartbeat(ada, dan)
    await room.sweep()
    const places = [4, 2, 3, 1].map((number, index) => ({ number, place: index + 1 }))
    await room.line.rearrange(room.at, places.slice(0, 2))
    await room.line.rearrange(room.at, places)
    await room.line.rearrange(room.at, places)
    const eve = await room.draw('eve')
    await room.line.reveal(room.at, REVEALING)
    await room.heartbeat(cleo)
    expect(await order(room)).toEqual([4, 3, 1, eve.number])
    expect(await room.look(ada)).toMatchObject({ place: 4, rank: 2 })
    await room.line.rearrange(room.at, [{ number: 1, place: 0.5 }])
    expect(await order(room)).toEqual([4, 3, 1, eve.number])
  })

  it('[J8] no ticket is admitted between the start and the reveal, not even by an operator', async () => {
    const room = await openPreQueue(openRoom)
    const tickets = [await room.draw('ada'), await room.draw('bob')]
    await room.attend(START_MS + 60_000)
    await room.heartbeat(...tickets)
    expect(await room.admit()).toMatchObject({ admitted: [], heldBy: 'not_drawn' })
    await room.line.seal(room.at)
    const byOperator = { batch: 10, operation: 'now', operatorCount: 2 }
    expect(await room.line.admit(room.at, byOperator)).toMatchObject({ admitted: [], heldBy: 'not_drawn' })
    await room.line.rearrange(room.at, [
      { number: 2, place: 1 },
      { number: 1, place: 2 },
    ])
    await room.line.reveal(room.at, REVEALING)
    await room.line.reveal(room.at, REVEALING)
    expect((await room.admit()).admitted.map(({ number }) => number)).toEqual([2, 1])
    const kinds = (await room.log()).map(({ change }) => change.kind)
    expect(kinds.filter((kind) => kind === 'revealed')).toHaveLength(1)
  })

  it('[J8] a later priority ticket stands behind the drawn ones of its class, and joins only once they are drawn', async () => {
    const room = await openPreQueue(openRoom)
    await room.draw('ada')
    await room.draw('vip', { class: 2, code: 'a' })
    await sealAtStart(room)
    expect(await room.join('late', { class: 2, code: 'b' })).toMatchObject({ status: 'drawing' })
    await room.line.rearrange(room.at, [
      { number: 2, place: 1 },
      { number: 1, place: 2 },
    ])
    await room.line.reveal(room.at, { ...REVEALING, lastPlaces: [2, 1, 1, NO_PLACE] })
    const late = await room.draw('late', { class: 2, code: 'b' })
    expect(late.place).toBeGreaterThan(1)
    expect(late.place).toBeLessThan(2)
  })

  it('[J9] a loaded line continues its draw where it was', async () => {
    const room = await openPreQueue(openRoom)
    const sealed = { ...DRAW, isNew: false, progress: 'sealed', drawnBelow: 9 } as const
    await room.load(4, { state: { start: { ...startOf(sealed), hasStarted: true } } })
    expect(await room.now()).toMatchObject({ draw: 'sealed', drawnBelow: 9 })
    expect(await room.admit()).toMatchObject({ heldBy: 'not_drawn' })
    expect((await room.line.change(room.at, { by: 'o', operation: 'x', onlyWhile: 'unstarted' })).isRefused).toBe(true)
    await room.load(5, { state: { start: startOf({ ...sealed, progress: 'revealed' }) } })
    expect(await room.line.seal(room.at)).toMatchObject({ status: 'revealed' })
  })

  it('[J10] after a loss the seal waits for visitors to come back', async () => {
    const room = await openPreQueue(openRoom)
    const { now } = await room.now()
    const draw = { ...DRAW, sealAfterMs: 60_000 }
    await room.load(4, { state: { opensAt: now, start: startOf(draw) } })
    expect(await room.line.seal(room.at)).toMatchObject({ status: 'early' })
    await room.advance(59_000)
    expect(await room.line.seal(room.at)).toMatchObject({ status: 'early' })
    await room.advance(1_000)
    expect(await room.line.seal(room.at)).toMatchObject({ status: 'sealed' })
  })

  it('[J8] pages of tickets have places once the line is drawn', async () => {
    const room = await openPreQueue(openRoom)
    const tickets = [await room.draw('ada'), await room.draw('bob')]
    expect((await room.line.present(room.at, 0)).runs[0]?.places).toBeNull()
    await sealAtStart(room)
    await room.line.rearrange(room.at, [
      { number: 2, place: 1 },
      { number: 1, place: 2 },
    ])
    await room.line.reveal(room.at, REVEALING)
    await room.heartbeat(...tickets)
    const [run] = (await room.line.present(room.at, 0)).runs
    expect([run?.places?.[1 - run.first], run?.places?.[2 - run.first]]).toEqual([2, 1])
  })

  it('[L143] before the draw a code changes the class and not the order; while the line is sealed it has to wait', async () => {
    const room = await openPreQueue(openRoom)
    await room.crowd(3)
    const before = await order(room)
    expect(await room.join('visitor-2', { class: 2, code: 'golden' })).toMatchObject({ status: 'present', class: 2 })
    expect(await order(room)).toEqual(before)
    await sealAtStart(room)
    expect(await room.join('visitor-1', { class: 3, code: 'other' })).toMatchObject({ status: 'drawing' })
  })

  it('[J65] every epoch tells the price list right after its first entry', async () => {
    const room = await openRoom()
    const prices = { kind: 'prices', hash: 'ab'.repeat(32), list: '{"fees":["a\\tb"]}' } as const
    for (const epoch of [3, 4]) {
      await room.load(epoch, { state: { prices } })
      expect((await room.log()).map(({ change }) => change).slice(0, 2)).toMatchObject([{ kind: 'opened' }, prices])
    }
  })

  it('[L144] what verifiers need is logged once for each operation, and a change for an empty room waits for one', async () => {
    const room = await openRoom()
    const prices = { kind: 'prices', hash: 'ab'.repeat(32), list: '{}' } as const
    const change = { by: 'operator', announce: prices, onlyWhile: 'empty' } as const
    expect(await room.line.change(room.at, { ...change, operation: 'a' })).toMatchObject({ isRefused: false })
    expect(await room.line.change(room.at, { ...change, operation: 'a' })).toMatchObject({ isRefused: false })
    const ada = await room.draw('ada')
    const refused = await room.line.change(room.at, { ...change, operation: 'b' })
    expect(refused, 'while a visitor waits').toMatchObject({ isRefused: true })
    await room.admit()
    expect(await room.line.change(room.at, { ...change, operation: 'c' }), 'inside').toMatchObject({ isRefused: true })
    const codes = { kind: 'codes', class: 2, hashes: ['cd'.repeat(32)] } as const
    await room.line.change(room.at, { by: 'operator', announce: codes, operation: 'd' })
    await room.end(ada, 'cancelled')
    expect(await room.line.change(room.at, { ...change, operation: 'e' })).toMatchObject({ isRefused: false })
    const said = (await room.log())
      .map((entry) => entry.change)
      .filter(({ kind }) => kind === 'prices' || kind === 'codes')
    expect(said).toEqual([prices, codes, prices])
  })
}
