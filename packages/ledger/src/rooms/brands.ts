import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'

/** How an organiser wants the pages of a room to look. */
export interface BrandRow {
  readonly colour: string | null
  readonly logo: string | null
  readonly text: string | null
}

export async function readBrand(db: Kysely<Schema>, roomId: string): Promise<BrandRow | null> {
  const row = await db
    .selectFrom('brands')
    .select(['colour', 'logo', 'text'])
    .where('room_id', '=', roomId)
    .executeTakeFirst()
  return row ?? null
}

/** Replaces the brand of a room, and notes who did. */
export async function writeBrand(
  db: Kysely<Schema>,
  { roomId, eventId, brand, by }: { roomId: string; eventId: string | null; brand: BrandRow; by: string },
): Promise<void> {
  const { colour, logo, text } = brand
  await db.transaction().execute(async (transaction) => {
    const before = await readBrand(transaction, roomId)
    const values = { colour, logo, text, updated_at: new Date() }
    await transaction
      .insertInto('brands')
      .values({ room_id: roomId, ...values })
      .onConflict((conflict) => conflict.column('room_id').doUpdateSet(values))
      .execute()
    const change = { actorId: by, kind: 'brand.changed', eventId, roomId } as const
    await recordAction(transaction, { ...change, before: { ...before }, after: { colour, logo, text } })
  })
}
