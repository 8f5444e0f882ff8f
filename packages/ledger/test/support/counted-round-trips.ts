import type { Ledger } from '@seatwise/ledger'
import type pg from 'pg'

/** What a piece of work asked of PostgreSQL. */
export interface Asked {
  /** How often the server waited for an answer before it asked for more. */
  readonly roundTrips: number
  /** Statements that PostgreSQL parsed and planned for this work alone; `begin` and `commit` are not among them. */
  readonly unprepared: readonly string[]
}

/** Counts round trips on the connections of a pool, the ones that are open and the ones that will be. */
export async function countRoundTrips(ledger: Ledger, work: () => Promise<unknown>): Promise<Asked> {
  let roundTrips = 0
  const unprepared: string[] = []
  const restore: (() => void)[] = []
  const watch = (client: pg.PoolClient): void => {
    const ask = client.query
    let unanswered = 0
    const counted = (...given: unknown[]): unknown => {
      const [query] = given as [pg.QueryConfig | string]
      const { name, text } = typeof query === 'string' ? { name: undefined, text: query } : query
      if (name === undefined && text !== 'begin' && text !== 'commit') unprepared.push(text)
      if (unanswered === 0) roundTrips += 1
      unanswered += 1
      const answer = (ask as (...passed: unknown[]) => Promise<unknown>).apply(client, given)
      const answered = () => {
        unanswered -= 1
      }
      answer.then(answered, answered)
      return answer
    }
    client.query = counted as typeof client.query
    restore.push(() => {
      client.query = ask
    })
  }
  const watched = new Set<pg.PoolClient>()
  const acquired = (client: pg.PoolClient): void => {
    if (watched.has(client)) return
    watched.add(client)
    watch(client)
  }
  ledger.pool.on('acquire', acquired)
  try {
    await work()
  } finally {
    ledger.pool.off('acquire', acquired)
    for (const undo of restore) undo()
  }
  return { roundTrips, unprepared }
}
