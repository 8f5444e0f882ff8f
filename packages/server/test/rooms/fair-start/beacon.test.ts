import { createHash } from 'node:crypto'
import { BeaconStandIn, type PublicItem, verifyDraw, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLIC_BEACON, readConfig, roundAfter, timeOfRound } from '../../../src/config/index.ts'
import { verifyRound } from '../../../src/rooms/fair-start/beacon/randomness.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

/** Rounds of quicknet, as they were published. */
const ROUND_123 = 'b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92'
const ROUND_657413 = 'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b'

describe('the public beacon', () => {
  it('[J12] real rounds are verified, and no signature counts for another round', async () => {
    const { chain } = PUBLIC_BEACON
    expect(await verifyRound({ chain, round: 123, signature: ROUND_123 })).toBe(true)
    expect(await verifyRound({ chain, round: 657_413, signature: ROUND_657413 })).toBe(true)
    expect(await verifyRound({ chain, round: 124, signature: ROUND_123 })).toBe(false)
    expect(await verifyRound({ chain, round: 123, signature: ROUND_123.replace('b75c', 'b75d') })).toBe(false)
    expect(await verifyRound({ chain, round: 123, signature: '' })).toBe(false)
    const randomness = createHash('sha256').update(Buffer.from(ROUND_657413, 'hex')).digest('hex')
    expect(randomness).toBe('fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587')
  })

  it('[J11] the round is the first at or after ten seconds from the start', () => {
    const { chain } = PUBLIC_BEACON
    for (const start of [1_700_000_000_000, 1_700_000_001_000, 1_700_000_001_999]) {
      const round = roundAfter(chain, start)
      expect(timeOfRound(chain, round)).toBeGreaterThanOrEqual(start + 10_000)
      expect(timeOfRound(chain, round - 1)).toBeLessThan(start + 10_000)
    }
  })

  it('[J12] its chain and addresses are settings', () => {
    const chain = `${'ab'.repeat(32)},${'cd'.repeat(96)},1000,3`
    const { beacon } = readConfig({
      SEATWISE_DRAND_CHAIN: chain,
      SEATWISE_DRAND_URLS: 'https://one.example/, http://two.example',
    })
    expect(beacon.chain).toMatchObject({ hash: 'ab'.repeat(32), genesisSeconds: 1_000, periodSeconds: 3 })
    expect(beacon.urls).toEqual(['https://one.example', 'http://two.example'])
    expect(() => readConfig({ SEATWISE_DRAND_CHAIN: 'quicknet' })).toThrow('SEATWISE_DRAND_CHAIN')
    expect(() => readConfig({ SEATWISE_DRAND_URLS: 'ftp://one.example' })).toThrow('SEATWISE_DRAND_URLS')
  })
})

interface Told {
  readonly state: string
  readonly redraws: number
  readonly beacon: { chain: string; round: number; randomness: string; signature: string }
}

const readDraw = async (bench: RoomBench, sale: string) => (await bench.call('GET', `${sale}/queue/draw`)).json<Told>()

/** A draw waits for a round ten seconds after the start. */
const ROUND = { timeoutMs: 25_000 }

forEachMode('a draw with a beacon', (open) => {
  let beacon: BeaconStandIn
  let bench: RoomBench
  beforeAll(async () => {
    beacon = await BeaconStandIn.open()
    bench = await open({ env: beacon.settings })
  })
  afterAll(() => beacon?.close())

  const sale = (inMs: number) =>
    bench.sale(
      { preQueueAt: new Date(Date.now() - 60_000).toISOString(), draw: 'drand', challenge: 'off' },
      { salesStartAt: new Date(Date.now() + inMs).toISOString() },
    )

  async function audit(room: string): Promise<PublicItem[]> {
    return (await bench.call('GET', `${room}/queue/audit?limit=1000`)).json<{ items: PublicItem[] }>().items
  }

  it('[J11] [J12] [J6] the announced round decides, also when an operator brings it', async () => {
    const room = await sale(600_000)
    for (let index = 0; index < 12; index++) await bench.join(room)
    await waitUntil('it is announced', async () => (await readDraw(bench, room)).state === 'announced')
    const start = { salesStartAt: new Date(Date.now() + 500).toISOString() }
    await bench.call('PATCH', room, { as: bench.organizer.authorization, body: start })
    beacon.isPublishing = false
    const sealed = await waitUntil('the line is sealed', async () => {
      const told = await readDraw(bench, room)
      return told.state === 'sealed' ? told : null
    })
    const { round } = sealed.beacon
    expect(sealed.beacon).toMatchObject({ chain: beacon.chain.hash, randomness: null, signature: null })
    const bring = (body: object) =>
      bench.call('POST', `${room}/queue/draw/beacon`, { as: bench.organizer.authorization, body })
    expect((await bring({ round, signature: beacon.sign(round + 1) })).statusCode).toBe(400)
    expect((await bring({ round: round + 1, signature: beacon.sign(round + 1) })).statusCode).toBe(400)
    expect((await readDraw(bench, room)).state).toBe('sealed')
    expect((await bring({ round, signature: beacon.sign(round) })).statusCode).toBe(200)
    await waitUntil('it is revealed', async () => (await readDraw(bench, room)).state === 'revealed', ROUND)
    beacon.isPublishing = true

    const roomId = (await bench.call('GET', room)).json<{ roomId: string }>().roomId
    const randomness = createHash('sha256')
      .update(Buffer.from(beacon.sign(round), 'hex'))
      .digest()
    const items = await audit(room)
    expect(verifyDraw(roomId, items, randomness).problems).toEqual([])
    const other = createHash('sha256')
      .update(Buffer.from(beacon.sign(round + 1), 'hex'))
      .digest()
    expect(verifyDraw(roomId, items, other).order).not.toEqual(verifyDraw(roomId, items, randomness).order)
  })

  it('[J11] a start that is moved announces another round, and says so', async () => {
    const room = await sale(60_000)
    await bench.join(room)
    const before = (
      await waitUntil('it is announced', async () => {
        const told = await readDraw(bench, room)
        return told.state === 'announced' ? told : null
      })
    ).beacon.round
    const moved = { salesStartAt: new Date(Date.now() + 1_000).toISOString() }
    await bench.call('PATCH', room, { as: bench.organizer.authorization, body: moved })
    const early = await waitUntil('the earlier round is announced', async () => {
      const { beacon: told, redraws } = await readDraw(bench, room)
      return told.round < before ? { round: told.round, redraws } : null
    })
    expect(early.redraws).toBe(0)
    const told = await waitUntil(
      'it is revealed',
      async () => {
        const draw = await readDraw(bench, room)
        return draw.state === 'revealed' ? draw : null
      },
      ROUND,
    )
    expect(told.beacon.signature).toBe(beacon.sign(told.beacon.round))
  })
})
