import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'

/**
 * The key that this deployment has for a purpose: `proposed` if it had none. Servers that start together all get the
 * same one. In contrast to what is derived from SEATWISE_SECRET it stays when secrets are replaced.
 */
export async function keepLastingKey(db: Kysely<Schema>, purpose: string, proposed: Buffer): Promise<Buffer> {
  await db
    .insertInto('lasting_keys')
    .values({ purpose, key: proposed.toString('base64') })
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
  const { key } = await db
    .selectFrom('lasting_keys')
    .select('key')
    .where('purpose', '=', purpose)
    .executeTakeFirstOrThrow()
  return Buffer.from(key, 'base64')
}
