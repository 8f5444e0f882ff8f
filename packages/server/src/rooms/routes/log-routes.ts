import Type from 'typebox'
import type { App, RateLimit } from '../../http/index.ts'
import { Head } from '../../wire/index.ts'
import type { RoomServices } from '../room-services.ts'
import { judgeHeads } from '../transparency/judge-heads.ts'
import { type RoomAddress, roomAndTicket } from './room-address.ts'
import { RoomPath } from './schemas.ts'

const tags = ['transparency log']
const everybody = { access: 'public' } as const
const strict = { additionalProperties: false }
/** A proof between two sizes never changes, so that any cache may keep it. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** A head is signed at most once a second. */
const RETRY_SECONDS = 1

const Index = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
const Hashes = Type.Array(Type.String(), {
  description: 'SHA-256 in hex, in the order of RFC 6962',
  examples: [['96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7']],
})
const Proof = Type.Object({ hashes: Hashes })
const ProofQuery = Type.Object(
  { index: Index('The entry, from 0'), size: Index('The size of the tree, at most that of the latest head') },
  strict,
)
const ConsistencyQuery = Type.Object({ from: Index('The smaller size'), to: Index('The larger size') }, strict)
const ReceiptAnswer = Type.Object({
  entry: Type.String({ description: 'The text of the entry that drew the ticket, as it is hashed' }),
  index: Type.Integer(),
  head: Head,
  proof: Proof,
})
const PendingAnswer = Type.Object({ status: Type.Literal('pending') })

const HeadsBody = Type.Object(
  {
    heads: Type.Array(Type.Object(Head.properties, strict), {
      ...{ minItems: 1, maxItems: 2 },
      description: 'The two, or the one of a receipt that proves nothing',
    }),
  },
  strict,
)
const Reported = Type.Object({ status: Type.Enum(['known', 'conflict'] as const) })
/** A client reports once; each report reads the ledger. */
const REPORT_LIMIT: RateLimit = { name: 'head reports', perSecond: 0.1, burst: 20 }

/** The transparency log of a room: its head, proofs, and the receipt of one's own joining. */
export function logRoutes(app: App, services: RoomServices, address: RoomAddress, conflicts: { inc(): void }): void {
  const name = address.path === '/api/rooms/:id' ? 'Room' : 'Event'
  headRoute(app, address, name)
  proofRoutes(app, address, name)
  receiptRoute(app, address, name)
  reportRoute(app, services, { address, name, conflicts })
}

function headRoute(app: App, { path, find }: RoomAddress, name: string): void {
  app.get(
    `${path}/queue/head`,
    {
      config: everybody,
      schema: {
        ...{ tags, operationId: `read${name}LogHead`, params: RoomPath },
        summary: 'The latest signed head of the log: its size and the root of its Merkle tree',
        response: { 200: Head },
      },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      reply.header('cache-control', 'public, max-age=1')
      return await room.transparency.head()
    },
  )
}

function proofRoutes(app: App, { path, find }: RoomAddress, name: string): void {
  app.get(
    `${path}/queue/proof`,
    {
      config: everybody,
      schema: {
        ...{ tags, operationId: `prove${name}LogEntry`, params: RoomPath, querystring: ProofQuery },
        summary: 'Proves that an entry is in the tree of a size (RFC 6962, 2.1.1)',
        response: { 200: Proof },
      },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const { index, size } = request.query
      const hashes = await room.transparency.inclusion(index, size)
      reply.header('cache-control', FOR_EVER)
      return { hashes }
    },
  )
  app.get(
    `${path}/queue/consistency`,
    {
      config: everybody,
      schema: {
        ...{ tags, operationId: `prove${name}LogConsistency`, params: RoomPath, querystring: ConsistencyQuery },
        summary: 'Proves that the tree of one size extends that of a smaller one (RFC 6962, 2.1.2)',
        response: { 200: Proof },
      },
    },
    async (request, reply) => {
      const room = await find(request.params.id)
      const { from, to } = request.query
      const hashes = await room.transparency.consistency(from, to)
      reply.header('cache-control', FOR_EVER)
      return { hashes }
    },
  )
}

function receiptRoute(app: App, address: RoomAddress, name: string): void {
  app.get(
    `${address.path}/queue/receipt`,
    {
      config: { access: 'ticket' },
      schema: {
        ...{ tags, operationId: `read${name}Receipt`, params: RoomPath },
        summary: 'Proves that your joining is in the log; 202 until it is in a signed head',
        response: { 200: ReceiptAnswer, 202: PendingAnswer },
      },
    },
    async (request, reply) => {
      const { room, ticket } = await roomAndTicket(address, request)
      const receipt = await room.transparency.receipt(ticket.number)
      reply.header('cache-control', 'no-store')
      if (receipt !== null) return { ...receipt, proof: { hashes: [...receipt.proof.hashes] } }
      return reply.code(202).header('retry-after', RETRY_SECONDS).send({ status: 'pending' })
    },
  )
}

function reportRoute(
  app: App,
  services: RoomServices,
  { address, name, conflicts }: { address: RoomAddress; name: string; conflicts: { inc(): void } },
): void {
  app.post(
    `${address.path}/queue/head/reports`,
    {
      config: { access: 'public', rateLimit: REPORT_LIMIT },
      schema: {
        ...{ tags, operationId: `report${name}LogHeads`, params: RoomPath, body: HeadsBody },
        summary: 'Reports signed heads of which neither extends the other',
        response: { 202: Reported },
      },
    },
    async (request, reply) => {
      const room = await address.find(request.params.id)
      const { ledger, identity, log } = services
      const status = await judgeHeads({ ledger, keys: identity.keys, log }, room.id, request.body.heads)
      if (status === 'conflict') conflicts.inc()
      return reply.code(202).send({ status })
    },
  )
}
