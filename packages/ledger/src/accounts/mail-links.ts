import { hash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { loadStatement, type MailLinkKind, runStatement, type Schema } from '../engine/index.ts'

const FORGET_MAIL_LINKS = loadStatement(import.meta.url, 'forget-mail-links.sql')

/** What a link in a mail leads to. */
interface MailLink {
  readonly kind: MailLinkKind
  /** The reservation, transfer, request for returns or offer. */
  readonly subjectId: string
}

const TOKEN_BYTES = 32
const TOKEN_SHAPE = /^[\w-]{43}$/

/**
 * Draws the token of a link that is about to be mailed; the ledger keeps its hash. A mail that is sent again after a lost
 * answer gets another token, and both are good: which of the two arrived is not known.
 */
export async function keepMailLink(db: Kysely<Schema>, { kind, subjectId }: MailLink): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await db
    .insertInto('mail_links')
    .values({ token_hash: hashOf(token), kind, subject_id: subjectId })
    .execute()
  return token
}

/** What a token leads to; null for every text that is not a token of this kind. */
export async function findMailLink(db: Kysely<Schema>, kind: MailLinkKind, token: string): Promise<string | null> {
  if (!TOKEN_SHAPE.test(token)) return null
  const row = await db
    .selectFrom('mail_links')
    .select('subject_id')
    .where('token_hash', '=', hashOf(token))
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.subject_id ?? null
}

/** Looks at links that are due, and deletes those whose event was over so many days ago. Returns how many it looked at. */
export async function forgetMailLinks(
  db: Kysely<Schema>,
  { daysMax, linksMax }: { readonly daysMax: number; readonly linksMax: number },
): Promise<number> {
  const [row] = await runStatement<{ looked: number }>(db, FORGET_MAIL_LINKS, [daysMax, linksMax])
  return row?.looked ?? 0
}

const hashOf = (token: string): string => hash('sha256', token, 'base64url')
