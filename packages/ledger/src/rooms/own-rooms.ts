import type { RoomSettings } from '@seatwise/domain'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'
import { recordAction } from '../trail/index.ts'

/** A room as its operator made it. */
export interface RoomFacts {
  id: string
  eventId: string | null
  /** Null for a room with an event, which has the event's. */
  organizationId: string | null
  name: string
  target: string | null
  settings: RoomSettings
  paused: boolean
  message: string | null
  /** Of a room without an event; null: always open. */
  opensAt: Date | null
  closesAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface NewRoom {
  readonly id: string
  readonly organizationId: string
  /** The account that makes it; null where a program does. */
  readonly ownerId: string | null
  /** Whom the trail names; without it the trail gets no entry. */
  readonly by?: string
  readonly name: string
  /** The site it protects. */
  readonly target: string
  readonly settings: RoomSettings
  readonly paused: boolean
  readonly message: string | null
  readonly opensAt: Date | null
  readonly closesAt: Date | null
  /** The host in the name of its log. */
  readonly logHost: string
}

/** Creates a room without an event. */
export async function createRoom(db: Kysely<Schema>, room: NewRoom): Promise<RoomFacts> {
  const { id, organizationId, ownerId, by, name, target, settings, paused, message, logHost, opensAt, closesAt } = room
  return await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('rooms')
      .values({
        ...{ id, organization_id: organizationId, owner_id: ownerId, name, target, paused, message },
        settings: JSON.stringify(settings),
        ...{ log_host: logHost, opens_at: opensAt, closes_at: closesAt },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (by !== undefined) {
      await recordAction(transaction, { actorId: by, kind: 'room.created', roomId: id, after: { name, target } })
    }
    return toFacts(row)
  })
}

/** Those of the rooms that exist and are not archived. */
export async function readRooms(db: Kysely<Schema>, ids: readonly string[]): Promise<RoomFacts[]> {
  const rows = await db
    .selectFrom('rooms')
    .selectAll()
    .where('id', 'in', ids)
    .where('archived_at', 'is', null)
    .execute()
  return rows.map(toFacts)
}

export interface RoomRenaming {
  readonly name?: string
  readonly target?: string
  readonly opensAt?: Date | null
  readonly closesAt?: Date | null
}

export interface RoomPage {
  readonly items: RoomFacts[]
  readonly nextCursor: string | null
}

/** Rooms without an event, newest first (ids grow with time): of these organizations, or of all. */
export async function listRooms(
  db: Kysely<Schema>,
  { organizationIds, after, limit }: { organizationIds: readonly string[] | null; after: string | null; limit: number },
): Promise<RoomPage> {
  let query = db.selectFrom('rooms').selectAll().where('event_id', 'is', null).where('archived_at', 'is', null)
  if (organizationIds !== null)
    query = query.where(sql<boolean>`organization_id = any (${[...organizationIds]}::uuid[])`)
  if (after !== null) query = query.where('id', '<', after)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const items = rows.slice(0, limit).map(toFacts)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}

/** Gives a room without an event another name, target or schedule. */
export async function renameRoom(
  db: Kysely<Schema>,
  id: string,
  { opensAt, closesAt, ...facts }: RoomRenaming,
  by: string,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('rooms')
      .set({
        ...facts,
        ...(opensAt !== undefined && { opens_at: opensAt }),
        ...(closesAt !== undefined && { closes_at: closesAt }),
        updated_at: new Date(),
      })
      .where('id', '=', id)
      .where('event_id', 'is', null)
      .execute()
    const after = { ...facts, ...(opensAt !== undefined && { opensAt }), ...(closesAt !== undefined && { closesAt }) }
    await recordAction(transaction, { actorId: by, kind: 'room.renamed', roomId: id, after })
  })
}

function toFacts(row: Selectable<Schema['rooms']>): RoomFacts {
  const { id, name, target, settings, paused, message } = row
  return {
    ...{ id, eventId: row.event_id, organizationId: row.organization_id, name, target, settings, paused, message },
    ...{ opensAt: row.opens_at, closesAt: row.closes_at },
    ...{ createdAt: row.created_at, updatedAt: row.updated_at },
  }
}
