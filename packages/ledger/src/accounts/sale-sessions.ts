import { type Kysely, sql } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const END_SALE_SESSIONS = loadStatement(import.meta.url, 'end-sale-sessions.sql')

/** The owner of a place that another device acts for. `keptSeconds`: how long a token of that device may be valid. */
export interface SaleOwner {
  readonly roomId: string
  readonly ownerId: string
  readonly keptSeconds: number
}

/** Stores the session of a device that takes a place over, so that the owner can end it. */
export async function keepSaleSession(
  db: Kysely<Schema>,
  sessionId: string,
  { roomId, ownerId, keptSeconds }: SaleOwner,
): Promise<void> {
  await sql`
    insert into sale_sessions (session_id, room_id, owner_id, forget_at)
    values (${sessionId}, ${roomId}, ${ownerId}, now() + make_interval(secs => ${keptSeconds}))
  `.execute(db)
}

/** Ends the sessions of all devices that took over places of this owner in this room. */
export async function endSaleSessions(db: Kysely<Schema>, { roomId, ownerId, keptSeconds }: SaleOwner): Promise<void> {
  await runStatement(db, END_SALE_SESSIONS, [roomId, ownerId, keptSeconds])
}
