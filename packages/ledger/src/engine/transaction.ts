import { type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { kyselyInside } from './kysely-inside.ts'
import type { Primary } from './ledger.ts'
import type { Schema } from './schema/schema.ts'
import type { Call, Statement } from './statement.ts'

/**
 * Runs the work in one transaction. What the work throws rolls the transaction back. If the work did not commit with its
 * last statements (`finish`), the transaction commits when the work returns.
 */
export async function inTransaction<Result>(
  primary: Pick<Primary, 'pool'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  if (trace.getActiveSpan()?.isRecording() !== true) return await transact(primary, work)
  return await tracer.startActiveSpan('ledger.transaction', async (span: Span) => {
    try {
      return await transact(primary, work)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

const tracer = trace.getTracer('seatwise')

async function transact<Result>(
  { pool }: Pick<Primary, 'pool'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  const transaction = new Transaction(client)
  let broken: Error | undefined
  try {
    const result = await work(transaction)
    await transaction.finish([])
    return result
  } catch (error) {
    broken = await transaction.rollBack()
    throw error
  } finally {
    // The pool drops a connection that could not roll back: it is in an unknown state.
    client.release(broken)
  }
}

/** Runs one statement of the primary outside of transactions, prepared if the statement says so. */
export async function runPrepared<Row>(
  { pool }: Pick<Primary, 'pool'>,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query(toQuery({ statement, parameters }))
  return rows as Row[]
}

/**
 * One transaction on one connection. Every answer that a busy server waits for is a turn of its event loop in which the
 * transaction holds its locks. So `begin` goes with the first statements and `commit` with the last ones, and statements
 * that do not need each other's answers are sent together.
 */
export class Transaction {
  readonly #client: pg.PoolClient
  #state: 'new' | 'begun' | 'over' = 'new'
  #db: Kysely<Schema> | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** Kysely on this connection, inside this transaction: for what is not hot. */
  get db(): Kysely<Schema> {
    this.#db ??= kyselyInside((sql, parameters) => this.#send([{ text: sql, values: [...parameters] }]))
    return this.#db
  }

  async run<Row>(statement: Statement, parameters: readonly unknown[]): Promise<Row[]> {
    const [rows] = await this.together<[Row[]]>([{ statement, parameters }])
    return rows
  }

  /** Runs statements one after the other in one round trip and returns the rows of each. The first failure fails all. */
  async together<Rows extends readonly unknown[][]>(calls: readonly Call[]): Promise<Rows> {
    const results = calls.length === 0 ? [] : await this.#send(calls.map(toQuery))
    return rowsOf<Rows>(results)
  }

  /** The same for the last statements, and commits in the same round trip. Nothing may be asked afterwards. */
  async finish<Rows extends readonly unknown[][]>(calls: readonly Call[]): Promise<Rows> {
    if (calls.length === 0 && this.#state !== 'begun') {
      this.#state = 'over'
      return rowsOf<Rows>([])
    }
    const sent = this.#send([...calls.map(toQuery), COMMIT])
    this.#state = 'over'
    const results = await sent
    // PostgreSQL answers COMMIT with ROLLBACK if an earlier statement had failed and the work went on nevertheless.
    if (results.at(-1)?.command !== 'COMMIT')
      throw new Error('The transaction was rolled back: a statement had failed.')
    return rowsOf<Rows>(results.slice(0, -1))
  }

  /** Returns why the connection cannot be used any more, if that is so. */
  async rollBack(): Promise<Error | undefined> {
    const hasBegun = this.#state !== 'new'
    this.#state = 'over'
    if (!hasBegun) return undefined
    return await this.#client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    )
  }

  async #send(queries: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]> {
    if (this.#state === 'over') throw new Error('A statement came after the commit of its transaction.')
    const isFirst = this.#state === 'new'
    this.#state = 'begun'
    const results = await sendTogether(this.#client, isFirst ? [BEGIN, ...queries] : queries)
    return isFirst ? results.slice(1) : results
  }
}

const BEGIN = { text: 'begin' }
const COMMIT = { text: 'commit' }

function toQuery({ statement: { name, sql, isPrepared = false }, parameters }: Call): pg.QueryConfig {
  const query = { text: sql, values: [...parameters] }
  return isPrepared ? { name, ...query } : query
}

/** As many lists of rows as there were calls. What is in them the caller knows, as with one statement. */
function rowsOf<Rows extends readonly unknown[][]>(results: readonly pg.QueryResult[]): Rows {
  const lists: readonly unknown[][] = results.map(({ rows }) => rows)
  return lists as Rows
}

/** In one packet, if the engine takes a statement before it has answered the one before; else one by one. */
async function sendTogether(client: pg.PoolClient, queries: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]> {
  if (!client.pipeline) {
    const results: pg.QueryResult[] = []
    for (const query of queries) results.push(await client.query(query))
    return results
  }
  const { stream } = client.connection
  stream.cork()
  const asked = queries.map((query) => client.query(query))
  stream.uncork()
  // All answers are awaited, also after a failure: the next statement must not meet what is still under way.
  const answers = await Promise.allSettled(asked)
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
}
