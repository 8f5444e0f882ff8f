import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  type Ledger,
  makeBackup,
  type QueryAnswer,
  queryReadOnly,
  type Reconciled,
  reconcileEvents,
  removeServerFile,
  type ServerStatus,
  schemaVersions,
  writeServerFile,
} from '@seatwise/ledger'
import Fastify, { type FastifyInstance } from 'fastify'
import Type from 'typebox'
import { type App, compileValidator } from '../http/index.ts'

export interface LocalApiOptions {
  readonly ledger: Ledger
  readonly dataDir: string
  readonly version: string
  /** Where visitors reach the server; a function, because the port may not be chosen yet. */
  readonly url: () => string
  readonly startedAt: Date
  /** Compares what only this process knows of an event. */
  readonly reconcileBeside?: (eventId: string, dryRun: boolean) => Promise<readonly Reconciled[]>
}

export interface LocalApi {
  readonly port: number
  close(): Promise<void>
}

/** One page of a read. A tool that wants more asks again. */
const ROWS_MAX = 10_000

const Query = Type.Object(
  { statement: Type.String({ minLength: 1 }), parameters: Type.Array(Type.Unknown(), { maxItems: 1_000 }) },
  { additionalProperties: false },
)

const Reconcile = Type.Object(
  { eventId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]), dryRun: Type.Boolean() },
  { additionalProperties: false },
)

const Backup = Type.Object({ folder: Type.String({ pattern: '^/' }) }, { additionalProperties: false })

/**
 * Lets command-line tools read and reconcile the ledger of a server that has its data folder locked. It listens on this
 * machine only, on a port of its own that no proxy in front of the site can reach, and accepts any caller that can read
 * the file with the secret: such a caller can read the data itself.
 */
export async function startLocalApi(options: LocalApiOptions): Promise<LocalApi> {
  const secret = randomBytes(32).toString('base64url')
  const app = Fastify({ bodyLimit: 1_048_576, requestTimeout: 10_000 }).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
    // Not the public API: its callers own the data, so they get PostgreSQL's own message.
    reply.code(error.statusCode ?? 400).send({ message: error.message }),
  )
  refuseStrangers(app, secret)
  addOperations(app, options)
  addBackup(app, options)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  await writeServerFile(options.dataDir, { pid: process.pid, port, secret })
  return {
    port,
    async close() {
      await removeServerFile(options.dataDir)
      await app.close()
    },
  }
}

function refuseStrangers(app: FastifyInstance, secret: string): void {
  const wanted = digest(`Bearer ${secret}`)
  app.addHook('onRequest', async (request, reply) => {
    // A page in a browser can make its own domain resolve to this machine, but then it sends that name as the host.
    const port = (app.server.address() as AddressInfo).port
    if (request.headers.host !== `127.0.0.1:${port}` && request.headers.host !== `localhost:${port}`) {
      return await reply.code(403).send({ message: 'Only 127.0.0.1 and localhost are served here.' })
    }
    // Digests have equal length and reveal nothing about the secret, so the comparison takes constant time.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted)) {
      return await reply.code(401).send({ message: 'The secret is in server.json in the data folder.' })
    }
  })
}

function addOperations(app: App, options: LocalApiOptions): void {
  app.get('/status', async (): Promise<ServerStatus> => {
    const { present } = await schemaVersions(options.ledger)
    return {
      version: options.version,
      pid: process.pid,
      schemaVersion: present,
      startedAt: options.startedAt.toISOString(),
      url: options.url(),
    }
  })
  app.post('/query', { schema: { body: Query } }, async (request): Promise<QueryAnswer> => {
    const { statement, parameters } = request.body
    const { rows } = await queryReadOnly(options.ledger, statement, parameters, ROWS_MAX)
    return { rows: [...rows], timeColumns: timeColumnsOf(rows) }
  })
  // The line learns of it as of every change: the seat map has a new version.
  app.post('/reconcile', { schema: { body: Reconcile } }, async (request) => {
    const wanted = request.body
    const beside = async (eventId: string) => (await options.reconcileBeside?.(eventId, wanted.dryRun)) ?? []
    return await reconcileEvents(options.ledger, wanted, beside)
  })
}

function addBackup(app: App, { ledger, dataDir, version }: LocalApiOptions): void {
  app.post('/backup', { schema: { body: Backup } }, async (request) =>
    makeBackup(ledger, { dataDir, folder: request.body.folder, version }),
  )
}

function timeColumnsOf(rows: readonly Record<string, unknown>[]): string[] {
  const columns = new Set<string>()
  for (const row of rows) {
    for (const [column, value] of Object.entries(row)) if (value instanceof Date) columns.add(column)
  }
  return [...columns]
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
