import { hash } from 'node:crypto'
import { badField, SeatwiseError } from '@seatwise/domain'
import { draws } from '@seatwise/ledger'
import Type, { type Static } from 'typebox'
import type { App } from '../../http/index.ts'
import { orNull } from '../../wire/index.ts'
import { requireChain, verifyRound } from '../fair-start/beacon/randomness.ts'
import { seedOf } from '../fair-start/draw-order.ts'
import type { RoomServices } from '../room-services.ts'
import type { RoomAddress } from './room-address.ts'
import { RoomPath } from './schemas.ts'

const Hex = Type.String({ pattern: '^[0-9a-f]+$' })
const HexOrNull = orNull<string>('string')
const DrawAnswer = Type.Object({
  mode: Type.Enum(['none', 'commit', 'drand'] as const),
  state: Type.Union([Type.Enum(['announced', 'sealed', 'revealed'] as const), Type.Null()]),
  commitment: Type.Optional(Hex),
  sealed: Type.Optional(
    Type.Union([Type.Object({ count: Type.Integer(), size: Type.Integer(), root: Hex }), Type.Null()], {
      description: 'How many tickets are drawn; size and root of the log’s tree right before the entry that seals',
    }),
  ),
  beacon: Type.Optional(
    Type.Union([
      Type.Object({ chain: Hex, round: Type.Integer(), randomness: HexOrNull, signature: HexOrNull }),
      Type.Null(),
    ]),
  ),
  secret: Type.Optional(HexOrNull),
  seed: Type.Optional(HexOrNull),
  redraws: Type.Optional(
    Type.Integer({ description: 'How often another round was announced because the seal came too late' }),
  ),
})
const BeaconBody = Type.Object(
  { round: Type.Integer({ minimum: 1 }), signature: Type.String({ pattern: '^[0-9a-f]{96}$' }) },
  { additionalProperties: false },
)
type Told = Static<typeof DrawAnswer>

const EXAMPLE: Told = {
  ...{ mode: 'commit', state: 'announced', sealed: null, beacon: null, secret: null, seed: null, redraws: 0 },
  commitment: '9f2c6b41d7e05a83f1c4b29e6d7308a5c1f2e3d4b5a69788796a5b4c3d2e1f00',
}

/** How the order of a room's line was drawn, with everything that is needed to compute it again. */
export function drawRoutes(app: App, services: RoomServices, address: RoomAddress): void {
  const { ledger } = services
  const { path, find } = address
  beaconRoute(app, services, { ...address, find: address.findAny })
  app.get(
    `${path}/queue/draw`,
    {
      config: { access: 'public' },
      schema: {
        tags: ['room'],
        operationId: path.includes('events') ? 'readDrawOfEvent' : 'readDrawOfRoom',
        summary: 'The public draw of the line',
        description:
          'docs/fair-start-engineers.md says how to compute the order from it and the audit. All values are hex.',
        params: RoomPath,
        response: { 200: { ...DrawAnswer, examples: [EXAMPLE] } },
      },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const draw = await draws.readDraw(ledger.db, room.id)
      reply.header('cache-control', 'public, max-age=1')
      if (room.settings.draw === 'none') return { mode: 'none' as const, state: null }
      // The log has announced it, and the ledger is about to copy that.
      if (draw === null) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
      return describeDraw(draw)
    },
  )
}

/** An operator brings the beacon's round when this server cannot reach the beacon. It is verified like one that was fetched. */
function beaconRoute(app: App, { ledger, drawKit }: RoomServices, { path, find, on }: RoomAddress): void {
  app.post(
    `${path}/queue/draw/beacon`,
    {
      config: { access: { act: 'room', on } },
      schema: {
        tags: ['operate a room'],
        operationId: path.includes('events') ? 'bringBeaconOfEvent' : 'bringBeaconOfRoom',
        summary: 'Bring the signature of the beacon’s round',
        description:
          'For a server that cannot reach the beacon. Only the announced round of the announced chain counts.',
        params: RoomPath,
        body: BeaconBody,
        response: { 200: DrawAnswer },
      },
    },
    async (request) => {
      const room = await find(request.params.id)
      const draw = await draws.readDraw(ledger.db, room.id)
      const { round, signature } = request.body
      if (draw?.note.round === undefined) throw badField('round', 'is for a draw with a beacon only')
      if (draw.treeSize === null) throw badField('round', 'counts once the line is sealed')
      if (round !== draw.note.round) throw badField('round', `must be ${draw.note.round}, as announced`)
      const chain = requireChain(drawKit.beacon, draw.note)
      if (!(await verifyRound({ chain, round, signature }))) throw badField('signature', 'is not that of the round')
      await draws.noteDraw(ledger.db, { room: room.id, commitment: draw.commitment }, { signature })
      return describeDraw({ ...draw, signature })
    },
  )
}

function describeDraw(draw: draws.DrawRow): Told {
  const { note, sealed, revealed, treeSize, treeRoot, redraws } = draw
  const isSealed = sealed !== null && treeSize !== null && treeRoot !== null
  const signature = revealed?.signature ?? draw.signature
  const randomness = signature === null ? null : hash('sha256', Buffer.from(signature, 'hex'), 'hex')
  const told: Told = {
    mode: note.mode,
    state: revealed !== null ? 'revealed' : isSealed ? 'sealed' : 'announced',
    commitment: note.commitment,
    sealed: isSealed ? { count: sealed.count, size: treeSize, root: treeRoot } : null,
    beacon:
      note.chain === undefined || note.round === undefined
        ? null
        : { chain: note.chain, round: note.round, randomness, signature },
    ...{ secret: revealed?.secret ?? null, seed: null, redraws },
  }
  if (revealed === null || treeRoot === null) return told
  const bytes = (hex: string | null): Buffer => Buffer.from(hex ?? '', 'hex')
  return { ...told, seed: seedOf(bytes(revealed.secret), bytes(treeRoot), bytes(randomness)).toString('hex') }
}
