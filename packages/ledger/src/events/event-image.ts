import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'

/** A picture as it is served: WebP, without the metadata of the one that was sent. */
export interface StoredImage {
  /** SHA-256 of the bytes, as 64 hex digits. */
  readonly hash: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/** Where a picture is; another picture has another address, so that it may be cached for ever. */
export const imageUrl = (hash: string): string => `/images/${hash}.webp`

/** Gives an event its picture, or takes it away; the trail says who did. */
export async function setEventImage(
  db: Kysely<Schema>,
  { eventId, image, by }: { eventId: string; image: StoredImage | null; by: string },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const event = await transaction
      .selectFrom('events')
      .select('id')
      .where('id', '=', eventId)
      .forNoKeyUpdate()
      .execute()
    if (event.length === 0) return
    const before = await transaction
      .deleteFrom('event_images')
      .where('event_id', '=', eventId)
      .returning('hash')
      .executeTakeFirst()
    if (image !== null)
      await transaction
        .insertInto('event_images')
        .values({ event_id: eventId, ...image })
        .execute()
    const describe = (hash: string | undefined) => ({ image: hash === undefined ? null : imageUrl(hash) })
    const change = { before: describe(before?.hash), after: describe(image?.hash) }
    await recordAction(transaction, { actorId: by, kind: 'event.edited', eventId, ...change })
  })
}

/** The bytes of a picture that an event has. */
export async function readImage(db: Kysely<Schema>, hash: string): Promise<Buffer | null> {
  const row = await db.selectFrom('event_images').select('bytes').where('hash', '=', hash).limit(1).executeTakeFirst()
  return row === undefined ? null : Buffer.from(row.bytes)
}
