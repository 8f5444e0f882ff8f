import { randomBytes } from 'node:crypto'
import { type Host, type HostFace, type HostProfile, type ServedImage, slugOf } from '@seatwise/domain'
import { type Kysely, sql } from 'kysely'
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

export function toImage(hash: string | null, width: number | null, height: number | null): ServedImage | null {
  return hash === null || width === null || height === null ? null : { url: imageUrl(hash), width, height }
}

/** The columns that tell visitors whose event it is. */
export interface HostRow {
  readonly host_name: string
  readonly host_slug: string
  readonly host_colour: string | null
  readonly host_face: HostFace
  readonly logo_hash: string | null
  readonly logo_width: number | null
  readonly logo_height: number | null
}

export function toHost(row: HostRow): Host {
  const { host_name: name, host_slug: slug, host_colour: colour, host_face: face } = row
  return { name, slug, logo: toImage(row.logo_hash, row.logo_width, row.logo_height), colour, face }
}

/** An organization by its id, or by the end of the address of its page. */
export async function readHost(
  db: Kysely<Schema>,
  wanted: { readonly id: string } | { readonly slug: string },
): Promise<HostProfile | null> {
  const [column, value] = 'id' in wanted ? (['id', wanted.id] as const) : (['slug', wanted.slug] as const)
  const row = await db
    .selectFrom('organizations')
    .leftJoin('organization_logos as logos', 'logos.organization_id', 'organizations.id')
    .select(['id', 'about', 'website', 'name as host_name', 'slug as host_slug'])
    .select(['colour as host_colour', 'face as host_face'])
    .select(['logos.hash as logo_hash', 'logos.width as logo_width', 'logos.height as logo_height'])
    .where(column, '=', value)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, ...toHost(row), about: row.about, website: row.website }
}

export type HostChange = Partial<Pick<HostProfile, 'slug' | 'about' | 'website' | 'colour' | 'face'>>

const UNIQUE_VIOLATION = '23505'

/** Changes what visitors see of an organization; the trail says who did. */
export async function editHost(
  db: Kysely<Schema>,
  { id, by, change }: { readonly id: string; readonly by: string; readonly change: HostChange },
): Promise<HostProfile | 'unknown' | 'slug_taken'> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`select id from organizations where id = ${id} for no key update`.execute(transaction)
      const before = await readHost(transaction, { id })
      if (before === null) return 'unknown'
      const fields = (Object.keys(change) as (keyof HostChange)[]).filter((field) => before[field] !== change[field])
      if (fields.length === 0) return before
      await transaction.updateTable('organizations').set(change).where('id', '=', id).execute()
      const after = { ...before, ...change }
      const only = (host: HostProfile) => Object.fromEntries(fields.map((field) => [field, host[field]]))
      const told = { before: only(before), after: only(after) }
      await recordAction(transaction, { actorId: by, kind: 'organization.edited', subject: id, ...told })
      return after
    })
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === UNIQUE_VIOLATION) return 'slug_taken'
    throw error
  }
}

/** Gives an organization its logo, or takes it away; the trail says who did. */
export async function setLogo(
  db: Kysely<Schema>,
  { id, logo, by }: { readonly id: string; readonly logo: StoredImage | null; readonly by: string },
): Promise<HostProfile | null> {
  return await db.transaction().execute(async (transaction) => {
    await sql`select id from organizations where id = ${id} for no key update`.execute(transaction)
    const before = await readHost(transaction, { id })
    if (before === null) return null
    await transaction.deleteFrom('organization_logos').where('organization_id', '=', id).execute()
    if (logo !== null) {
      const row = { organization_id: id, ...logo }
      await transaction.insertInto('organization_logos').values(row).execute()
    }
    const after = logo === null ? null : toImage(logo.hash, logo.width, logo.height)
    const told = { before: { logo: before.logo?.url ?? null }, after: { logo: after?.url ?? null } }
    await recordAction(transaction, { actorId: by, kind: 'organization.edited', subject: id, ...told })
    return { ...before, logo: after }
  })
}

/** As many organizations of one name as get a readable address; one more gets one with random digits. */
const NAMESAKES_MAX = 20

/** The end of the address of a new organization's page: its name, with a number where another has that already. */
export async function freeSlug(transaction: Kysely<Schema>, name: string): Promise<string> {
  const plain = slugOf(name)
  const stem = plain === '' ? 'organizer' : plain
  const wishes = Array.from({ length: NAMESAKES_MAX }, (_unused, index) =>
    index === 0 ? stem : `${stem}-${index + 1}`,
  )
  const rows = await transaction.selectFrom('organizations').select('slug').where('slug', 'in', wishes).execute()
  const taken = new Set(rows.map(({ slug }) => slug))
  return wishes.find((slug) => !taken.has(slug)) ?? `${stem}-${randomBytes(4).toString('hex')}`
}
