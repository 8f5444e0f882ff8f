import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { forEachLedger, openScratchLedger } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  ENDED_FROM_THE_START,
  endGuest,
  endSession,
  endSessionsOf,
  forgetEnded,
  keepLastingKey,
  type Ledger,
  readEnded,
} from '../../src/index.ts'

const KEPT_SECONDS = 3_600

forEachLedger('ended identities', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[A31] sessions, older sessions of an account and guests that ended are read', async () => {
    const [session, guest, account] = [randomUUID(), randomUUID(), await newAccount(ledger)]
    const start = await readEnded(ledger.db, ENDED_FROM_THE_START)
    await endSession(ledger.db, session, KEPT_SECONDS)
    await endGuest(ledger.db, guest, KEPT_SECONDS)
    equal(await endSessionsOf(ledger.db, account, { keptSeconds: KEPT_SECONDS, exceptSession: session }), 2)

    const read = await readEnded(ledger.db, start.seenTo)
    const mine = read.ended.filter(({ subject }) => [session, guest, account].includes(subject))
    deepEqual(
      mine.map(({ forgetAt, ...ended }) => ended).toSorted((a, b) => a.kind.localeCompare(b.kind)),
      [
        { kind: 'account', subject: account, belowVersion: 2, exceptSession: session },
        { kind: 'guest', subject: guest, belowVersion: 0, exceptSession: null },
        { kind: 'session', subject: session, belowVersion: 0, exceptSession: null },
      ],
    )
    // Transactions of others, which the shared PostgreSQL has, may make it read a row twice; alone it does not.
    if (ledger.kind === 'pglite') deepEqual((await readEnded(ledger.db, read.seenTo)).ended, [])
    equal((await readEnded(ledger.db, ENDED_FROM_THE_START)).ended.length, start.ended.length + 3)
  })

  it('[A31] ending the sessions of an account again raises the version again, and is read again', async () => {
    const account = await newAccount(ledger)
    const session = randomUUID()
    await endSessionsOf(ledger.db, account, { keptSeconds: KEPT_SECONDS, exceptSession: session })
    const { seenTo } = await readEnded(ledger.db, ENDED_FROM_THE_START)
    equal(await endSessionsOf(ledger.db, account, { keptSeconds: KEPT_SECONDS }), 3)
    const again = (await readEnded(ledger.db, seenTo)).ended.find(({ subject }) => subject === account)
    deepEqual([again?.subject, again?.belowVersion, again?.exceptSession], [account, 3, null])
  })

  it('[A31] what is ended in a transaction that fails has not ended', async () => {
    const guest = randomUUID()
    const failing = ledger.db.transaction().execute(async (transaction) => {
      await endGuest(transaction, guest, KEPT_SECONDS)
      throw new Error('The reservations could not be moved')
    })
    await rejects(failing, /could not be moved/)
    const { ended } = await readEnded(ledger.db, ENDED_FROM_THE_START)
    ok(ended.every(({ subject }) => subject !== guest))
  })

  it('[A31] a row is forgotten when no token can be valid any more, and not before', async () => {
    const [over, kept] = [randomUUID(), randomUUID()]
    await endSession(ledger.db, over, -1)
    await endSession(ledger.db, kept, KEPT_SECONDS)
    await forgetEnded(ledger.db)
    const subjects = (await readEnded(ledger.db, ENDED_FROM_THE_START)).ended.map(({ subject }) => subject)
    ok(subjects.includes(kept) && !subjects.includes(over))
  })

  it('[A38] any number of servers that start together keep one key for a purpose', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => keepLastingKey(ledger.db, 'visitor-identity', randomBytes(32))),
    )
    equal(new Set(keys.map((key) => key.toString('base64'))).size, 1)
    equal(keys[0]?.length, 32)
    const other = await keepLastingKey(ledger.db, 'another purpose', randomBytes(32))
    ok(!other.equals(keys[0] ?? Buffer.alloc(0)))
  })
})

describe('transactions that commit in another order than they began', () => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await openScratchLedger()
  })
  afterAll(() => ledger.close())

  it('[A31] a session that ended in a slow transaction is read, though a later one was read before', async () => {
    const { late, readAfterwards } = await overtake(async (seenTo) => {
      const { ended, seenTo: next } = await readEnded(ledger.db, seenTo ?? ENDED_FROM_THE_START)
      return { subjects: ended.map(({ subject }) => subject), next }
    })
    ok(readAfterwards.includes(late))
  })

  it('[A31 control] a reader that goes on after the latest row it has seen misses it', async () => {
    const { late, readAfterwards } = await overtake(async (seenTo) => {
      const { rows } = await sql<{ subject: string; seen_to: string }>`
        select subject, ended_at::text as seen_to from ended_identities
         where ended_at > ${seenTo ?? '-infinity'}::timestamptz order by ended_at`.execute(ledger.db)
      return { subjects: rows.map(({ subject }) => subject), next: rows.at(-1)?.seen_to ?? seenTo ?? '-infinity' }
    })
    ok(!readAfterwards.includes(late))
  })

  /** One transaction ends a session and commits after another, which began and was read in between. */
  async function overtake(read: (seenTo?: string) => Promise<{ subjects: string[]; next: string }>) {
    const [late, early] = [randomUUID(), randomUUID()]
    const slow = await ledger.db.startTransaction().execute()
    await endSession(slow, late, KEPT_SECONDS)
    await endSession(ledger.db, early, KEPT_SECONDS)
    const first = await read()
    ok(first.subjects.includes(early) && !first.subjects.includes(late))
    await slow.commit().execute()
    return { late, readAfterwards: (await read(first.next)).subjects }
  }
})

async function newAccount(ledger: Ledger): Promise<string> {
  const id = randomUUID()
  const email = `${id}@example.com`
  await ledger.db
    .insertInto('users')
    .values({ id, email, email_key: email, password_hash: 'none', name: 'Ada', role: 'buyer' })
    .execute()
  return id
}
