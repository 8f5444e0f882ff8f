import { randomUUID } from 'node:crypto'
import { cancelReservation, type Ledger, openLedger, saveAnswers } from '@seatwise/ledger'
import { postgresDatabase, waitUntil } from '@seatwise/testbench'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, openStanding } from '../sale-kit.ts'

// On one connection no transaction begins before the one before has ended, and there is nothing to guard.
describe('answers that arrive together with others (postgres)', () => {
  let database: Awaited<ReturnType<typeof postgresDatabase>>
  let ledger: Ledger
  beforeAll(async () => {
    database = await postgresDatabase('migrated')
    ledger = await openLedger({ kind: 'postgres', url: database.url })
  })
  afterAll(async () => {
    await ledger.close()
    await database.drop()
  })

  const answering = (reservationId: string, buyerId: string, questionId: string) =>
    saveAnswers(ledger, {
      ...{ reservationId, buyerId, marketingWords: 'News?' },
      given: {
        order: { [questionId]: { label: 'Why?', answer: questionId } },
        ...{ tickets: [], termsUrl: null, marketing: null },
      },
      addressee: { email: 'mai@example.com', name: null, language: null },
    })
  const answersOf = async (reservationId: string): Promise<string[]> => {
    const rows = ledger.db.selectFrom('order_answers').select('answers').where('reservation_id', '=', reservationId)
    return Object.keys((await rows.executeTakeFirst())?.answers ?? {}).sort()
  }
  const waiting = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(ledger.db)
    return rows[0]?.count ?? 0
  }

  /** The reservation ends while answers to it are written and not yet committed. */
  async function endWhileAnswering(end: (reservationId: string, buyerId: string) => Promise<unknown>): Promise<string> {
    const sale = await openStanding(ledger, 3)
    const buyerId = randomUUID()
    const reservationId = await hold(sale, 1, { buyerId })
    const work = await ledger.db.transaction().execute(async (transaction) => {
      // The answers wait for this row, after they were written.
      const row = { reservation_id: reservationId, email: 'first@example.com' }
      await transaction.insertInto('addressees').values(row).execute()
      const answered = answering(reservationId, buyerId, 'late')
      await waitUntil('the answers wait', async () => (await waiting()) === 1)
      const ended = end(reservationId, buyerId)
      await waitUntil('the end waits for the answers', async () => (await waiting()) === 2)
      return { answered, ended }
    })
    expect(await work.answered).toMatchObject({ status: 'saved' })
    await work.ended
    return reservationId
  }

  it('[B205] answers that were written at the moment of the end are deleted', async () => {
    const reservationId = await endWhileAnswering((id, buyerId) =>
      cancelReservation(ledger, { reservationId: id, buyerId }),
    )
    expect(await answersOf(reservationId)).toEqual([])
  })

  it('[B205 control] deleted by the statement that ends the reservation, they stay behind', async () => {
    const reservationId = await endWhileAnswering((id) =>
      sql`with ended as (update reservations set status = 'CANCELED' where id = ${id} returning id)
          delete from order_answers using ended where reservation_id = ended.id`.execute(ledger.db),
    )
    expect(await answersOf(reservationId)).toEqual(['late'])
  })

  it('[B200] requests that arrive together keep each other’s answers', async () => {
    const sale = await openStanding(ledger, 3)
    const buyerId = randomUUID()
    const reservationId = await hold(sale, 1, { buyerId })
    const questions = Array.from({ length: 8 }, (_, index) => `q${index}`)
    await Promise.all(questions.map((question) => answering(reservationId, buyerId, question)))
    expect(await answersOf(reservationId)).toEqual(questions)
  })

  it('[B200 control] read, changed and written back, answers that arrive together get lost', async () => {
    const sale = await openStanding(ledger, 3)
    const buyerId = randomUUID()
    const reservationId = await hold(sale, 1, { buyerId })
    await answering(reservationId, buyerId, 'first')
    const order = () =>
      ledger.db.selectFrom('order_answers').select('answers').where('reservation_id', '=', reservationId)
    const read = await Promise.all([order().executeTakeFirstOrThrow(), order().executeTakeFirstOrThrow()])
    for (const [index, { answers }] of read.entries()) {
      const changed = JSON.stringify({ ...answers, [`q${index}`]: { label: 'Why?', answer: 'x' } })
      const row = ledger.db.updateTable('order_answers').set({ answers: sql`${changed}::jsonb` })
      await row.where('reservation_id', '=', reservationId).execute()
    }
    expect(await answersOf(reservationId)).toEqual(['first', 'q1'])
  })
})
