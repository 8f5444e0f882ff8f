import { randomUUID } from 'node:crypto'
import { type CodesBody, codeKey, readCodesDraft } from '@seatwise/domain'
import { type Claim, type ClaimReply, claimSeats, makeCodes } from '@seatwise/ledger'
import { sql } from 'kysely'
import { claimOf, type Sale } from '../sale-kit.ts'

/** Makes a code of a sale; its id. */
export async function makeCode(sale: Sale, body: CodesBody): Promise<string> {
  const made = await makeCodes(sale.ledger, {
    ...{ eventId: sale.event.id, draft: readCodesDraft(body), by: randomUUID() },
    ...{ newId: randomUUID, newText: () => randomUUID().slice(0, 18) },
  })
  const [code] = made.status === 'made' ? made.items : []
  if (code === undefined) throw new Error(`no code: ${made.status}`)
  return code.id
}

/** A claim on so many unnumbered seats with a code. */
export const codeClaim = (sale: Sale, quantity: number, code: string, more: Partial<Claim> = {}): Claim =>
  claimOf(sale, quantity, { code: codeKey(code), ...more })

/** Sends batches of claims at once from several pools, as several servers do. */
export async function raceFrom(
  sales: readonly Sale[],
  claims: readonly Claim[],
  { batchMax, random }: { batchMax: number; random: () => number },
): Promise<ClaimReply[]> {
  const batches: Claim[][] = []
  for (let start = 0; start < claims.length; ) {
    const size = 1 + Math.floor(random() * batchMax)
    batches.push(claims.slice(start, start + size))
    start += size
  }
  const outcomes = await Promise.all(
    batches.map((batch, index) => {
      const sale = sales[index % sales.length]
      return sale === undefined ? null : claimSeats(sale.ledger, sale.event.id, batch)
    }),
  )
  return outcomes.flatMap((outcome) => outcome?.replies ?? [])
}

/** The counter of a code, compared with the reservations that it counts. */
export async function usesOf(sale: Sale, codeId: string): Promise<number> {
  const { rows } = await sql<{ kept: number; counted: number }>`
    select uses as kept,
           (select count(*)::int from reservations
             where code_id = codes.id and status in ('PENDING_PAYMENT', 'PAID')) as counted
      from codes where id = ${codeId}`.execute(sale.ledger.db)
  const [row] = rows
  if (row === undefined || row.kept !== row.counted) throw new Error(`uses drifted: ${JSON.stringify(row)}`)
  return row.kept
}

/**
 * What using a code would be without the lock and the constraint: each buyer reads how often it was used, and writes a
 * reservation in a second statement, once all have read. How many did.
 */
export async function useUnguarded(sale: Sale, codeId: string, buyers: number): Promise<number> {
  const { db } = sale.ledger
  const allLooked = Promise.withResolvers<void>()
  let looked = 0
  const terms = { status: 'PENDING_PAYMENT', amount: 0, currency: 'EUR', expires_at: new Date('2999-01-01') } as const
  const uses = Array.from({ length: buyers }, async () => {
    const { uses: used, uses_max } = await db
      .selectFrom('codes')
      .select(['uses', 'uses_max'])
      .where('id', '=', codeId)
      .executeTakeFirstOrThrow()
    looked += 1
    if (looked === buyers) allLooked.resolve()
    await allLooked.promise
    if (uses_max !== null && used >= uses_max) return 0
    const row = { id: randomUUID(), event_id: sale.event.id, buyer_id: randomUUID(), code_id: codeId, ...terms }
    await db.insertInto('reservations').values(row).execute()
    return 1
  })
  return (await Promise.all(uses)).reduce((sum: number, one) => sum + one, 0)
}
