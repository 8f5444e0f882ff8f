import { type Kysely, sql } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const TELL_TURNS = loadStatement(import.meta.url, 'tell-turns.sql')

export interface TurnMailWish {
  readonly id: string
  readonly roomId: string
  /** Of the ticket. */
  readonly number: number
  readonly email: string
  readonly language: string
}

/** A ticket has one address: asking again replaces it, until its turn has come. */
export async function askForTurnMail(db: Kysely<Schema>, wish: TurnMailWish): Promise<void> {
  const { id, roomId, number, email, language } = wish
  await db
    .insertInto('turn_mails')
    .values({ id, room_id: roomId, number, email, language })
    .onConflict((conflict) =>
      conflict.columns(['room_id', 'number']).doUpdateSet({ email, language }).where('turn_mails.told_at', 'is', null),
    )
    .execute()
}

/** Runs tell-turns.sql; returns how many mails there will be. */
export async function tellTurns(db: Kysely<Schema>): Promise<number> {
  return (await runStatement(db, TELL_TURNS, [])).length
}

/** A visitor whose turn it is now. */
export interface Turn {
  readonly email: string
  readonly language: string
  /** Null in a room without an event. */
  readonly eventId: string | null
  readonly roomId: string
  readonly name: string
  readonly deadline: Date | null
}

/** Null once the visitor went in, or the turn is over: then no mail helps. */
export async function readTurn(db: Kysely<Schema>, id: string): Promise<Turn | null> {
  const row = await db
    .selectFrom('turn_mails')
    .innerJoin('rooms', 'rooms.id', 'turn_mails.room_id')
    .leftJoin('events', 'events.id', 'rooms.event_id')
    .innerJoin('queue_entries', (join) =>
      join
        .onRef('queue_entries.room_id', '=', 'turn_mails.room_id')
        .onRef('queue_entries.number', '=', 'turn_mails.number'),
    )
    .select(['turn_mails.email', 'turn_mails.language', 'rooms.event_id', 'rooms.id as room_id', 'rooms.name'])
    .select(['events.name as event_name', 'queue_entries.deadline'])
    .where('turn_mails.id', '=', id)
    .where('queue_entries.state', '=', 'admitted')
    .executeTakeFirst()
  if (row === undefined) return null
  const { email, language, event_id: eventId, room_id: roomId, deadline } = row
  return { email, language, eventId, roomId, name: row.event_name ?? row.name, deadline }
}

/** A mail is tried for an hour; tickets live for days at most. */
export async function forgetTurnMails(db: Kysely<Schema>): Promise<void> {
  await sql`delete from turn_mails
             where told_at < now() - interval '1 hour' or asked_at < now() - interval '7 days'`.execute(db)
}
