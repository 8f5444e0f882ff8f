import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const FORGET_NEWS = loadStatement(import.meta.url, 'forget-news.sql')
const COUNT_WAITING = loadStatement(import.meta.url, 'count-waiting.sql')

/** Deletes old news that no receiver waits for any more; returns how many. */
export async function forgetNews(
  db: Kysely<Schema>,
  { daysMax, newsMax }: { readonly daysMax: number; readonly newsMax: number },
): Promise<number> {
  return (await runStatement(db, FORGET_NEWS, [daysMax, newsMax])).length
}

/** How many news and deliveries are still to be made, and how many were set aside. */
export async function countWaitingNews(db: Kysely<Schema>): Promise<{ waiting: number; setAside: number }> {
  const [counts] = await runStatement<{ waiting: number; setAside: number }>(db, COUNT_WAITING, [])
  if (counts === undefined) throw new Error('A select without a table always has a row')
  return counts
}
