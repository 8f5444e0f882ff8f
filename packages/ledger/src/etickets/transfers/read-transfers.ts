import type { Kysely } from 'kysely'
import { loadStatement, type Row, runStatement, type Schema } from '../../engine/index.ts'

const READ_GIVEN_AWAY = loadStatement(import.meta.url, 'read-given-away.sql')

/** An e-ticket on its way to another holder, or what became of that. */
export interface Transfer {
  /** Also the id of the guest who accepts it without signing in. */
  readonly id: string
  readonly eticketId: string
  readonly email: string
  /** Of the giver's page; null when it is not known. */
  readonly language: string | null
  readonly status: Row<'transfers'>['status']
  readonly acceptedBy: string | null
}

export async function readTransfer(db: Kysely<Schema>, id: string): Promise<Transfer | null> {
  const row = await db.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toTransfer(row)
}

/** The transfer of an e-ticket that is open. */
export async function readOpenTransfer(db: Kysely<Schema>, eticketId: string): Promise<Transfer | null> {
  const open = db.selectFrom('transfers').selectAll().where('eticket_id', '=', eticketId).where('status', '=', 'open')
  const row = await open.executeTakeFirst()
  return row === undefined ? null : toTransfer(row)
}

export interface GivenAway {
  readonly eticketId: string
  readonly email: string
  readonly isAccepted: boolean
}

/** The address to which this holder gave each of these e-tickets, or is about to; nothing of what later holders did. */
export async function readGivenAway(
  db: Kysely<Schema>,
  holderId: string,
  eticketIds: readonly string[],
): Promise<GivenAway[]> {
  if (eticketIds.length === 0) return []
  return await runStatement<GivenAway>(db, READ_GIVEN_AWAY, [holderId, eticketIds])
}

function toTransfer(row: Row<'transfers'>): Transfer {
  const { id, email, language, status } = row
  return { id, eticketId: row.eticket_id, email, language, status, acceptedBy: row.accepted_by }
}
