import { type Kysely, sql } from 'kysely'
import { inTransaction, loadStatement, type Primary, runStatement, type Schema } from '../engine/index.ts'
import { tellLetter } from '../outbox/index.ts'

const TRY_SIGN_IN_CODE = loadStatement(import.meta.url, 'try-sign-in-code.sql')
const KEEP_SIGN_IN_HASHES = loadStatement(import.meta.url, 'keep-sign-in-hashes.sql')

/** A mail that signs in, as a visitor asks for it. */
export interface AskedSignIn {
  readonly id: string
  readonly email: string
  readonly emailKey: string
  readonly language: string
  /** Of the browser that asked; null when a program did. */
  readonly askerHash: string | null
  /** The path that the visitor wanted. */
  readonly next: string
}

/** A mail that can still be used. */
export type SignInMail = Omit<AskedSignIn, 'language'>

/** Stores the wish and the news that makes the mail go out; code and link are drawn when it is written. */
export async function askForSignIn(ledger: Primary, asked: AskedSignIn): Promise<void> {
  const { id, email, emailKey: email_key, language, askerHash: asker_hash, next } = asked
  await inTransaction(ledger, async (transaction) => {
    await transaction.db
      .insertInto('sign_in_codes')
      .values({ id, email, email_key, language, asker_hash, next })
      .execute()
    await tellLetter(transaction, { about: 'sign_in', id, type: 'sign_in.asked' })
  })
}

/** To whom the mail goes that is about to carry this code and this link; null when it is no longer needed. */
export async function keepSignInHashes(
  db: Kysely<Schema>,
  { id, codeHash, linkHash }: { readonly id: string; readonly codeHash: string; readonly linkHash: string },
): Promise<Pick<AskedSignIn, 'email' | 'language' | 'next'> | null> {
  const [mail] = await runStatement<Pick<AskedSignIn, 'email' | 'language' | 'next'>>(db, KEEP_SIGN_IN_HASHES, [
    id,
    codeHash,
    linkHash,
  ])
  return mail ?? null
}

/** Counts a try of a code, and returns the id of the mail that has it; null for a wrong one and after too many tries. */
export async function trySignInCode(
  db: Kysely<Schema>,
  tried: { readonly emailKey: string; readonly codeHashes: readonly string[]; readonly senderHash: string },
): Promise<string | null> {
  const { emailKey, codeHashes, senderHash } = tried
  const [mail] = await runStatement<{ id: string }>(db, TRY_SIGN_IN_CODE, [emailKey, [...codeHashes], senderHash])
  return mail?.id ?? null
}

/** The mail with this link; null when its time is over, or when it was used. */
export async function readSignInLink(
  db: Kysely<Schema>,
  id: string,
  linkHashes: readonly string[],
): Promise<SignInMail | null> {
  const row = await unexpired(db)
    .where('id', '=', id)
    .where(sql<boolean>`link_hashes && ${[...linkHashes]}::text[]`)
    .executeTakeFirst()
  return row === undefined ? null : toMail(row)
}

/** The mail that this browser asked for last; null when it asked for none that still counts. */
export async function readAskedSignIn(db: Kysely<Schema>, askerHashes: readonly string[]): Promise<SignInMail | null> {
  const query = unexpired(db).where('asker_hash', 'in', askerHashes).orderBy('asked_at', 'desc')
  const row = await query.limit(1).executeTakeFirst()
  return row === undefined ? null : toMail(row)
}

/**
 * Uses a mail up, and with it all others to the same address: null when another call did. Pass the transaction that
 * signs in: both happen or neither does.
 */
export async function useSignInMail(db: Kysely<Schema>, id: string): Promise<SignInMail | null> {
  const { rows } = await sql<MailRow>`
    delete from sign_in_codes
     where email_key = (select email_key from sign_in_codes where id = ${id} and expires_at > clock_timestamp())
    returning id, email, email_key, asker_hash, next
  `.execute(db)
  const used = rows.find((row) => row.id === id)
  return used === undefined ? null : toMail(used)
}

interface MailRow {
  readonly id: string
  readonly email: string
  readonly email_key: string
  readonly asker_hash: string | null
  readonly next: string
}

function unexpired(db: Kysely<Schema>) {
  return db
    .selectFrom('sign_in_codes')
    .select(['id', 'email', 'email_key', 'asker_hash', 'next'])
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
}

const toMail = ({ id, email, email_key, asker_hash, next }: MailRow): SignInMail => ({
  ...{ id, email, emailKey: email_key, askerHash: asker_hash, next },
})
