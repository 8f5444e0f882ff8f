import type { Kysely } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { imageUrl, type StoredImage } from '../organizations/index.ts'
import { recordAction } from '../trail/index.ts'

/** What its organiser says of a picture. */
export interface ImageWords {
  readonly alt: string
  readonly focus: { readonly x: number; readonly y: number }
}

/** Gives an event its picture, or takes it away; the trail says who did. */
export async function setEventImage(
  db: Kysely<Schema>,
  { eventId, image, by }: { eventId: string; image: (StoredImage & ImageWords) | null; by: string },
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
    if (image !== null) {
      const { alt, focus, ...picture } = image
      const row = { event_id: eventId, ...picture, alt, focus_x: focus.x, focus_y: focus.y }
      await transaction.insertInto('event_images').values(row).execute()
    }
    const describe = (hash: string | undefined) => ({ image: hash === undefined ? null : imageUrl(hash) })
    const change = { before: describe(before?.hash), after: describe(image?.hash) }
    await recordAction(transaction, { actorId: by, kind: 'event.edited', eventId, ...change })
  })
}

/** Changes what is said of an event's picture; false when it has none. */
export async function describeEventImage(
  db: Kysely<Schema>,
  { eventId, words, by }: { eventId: string; words: Partial<ImageWords>; by: string },
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('event_images')
      .select(['alt', 'focus_x', 'focus_y'])
      .where('event_id', '=', eventId)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) return false
    const { alt = before.alt, focus = { x: before.focus_x, y: before.focus_y } } = words
    const after = { alt, focus_x: focus.x, focus_y: focus.y }
    await transaction.updateTable('event_images').set(after).where('event_id', '=', eventId).execute()
    await recordAction(transaction, { actorId: by, kind: 'event.edited', eventId, before, after })
    return true
  })
}

/** The bytes of a picture that an event or an organization has. */
export async function readImage(db: Kysely<Schema>, hash: string): Promise<Buffer | null> {
  const logos = db.selectFrom('organization_logos').select('bytes').where('hash', '=', hash)
  const row = await db
    .selectFrom('event_images')
    .select('bytes')
    .where('hash', '=', hash)
    .unionAll(logos)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : Buffer.from(row.bytes)
}
