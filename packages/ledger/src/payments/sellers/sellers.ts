import { type Kysely, sql } from 'kysely'
import { inTransaction, loadStatement, type Primary, type Schema } from '../../engine/index.ts'
import { recordAction } from '../../trail/index.ts'
import type { Seller } from '../receipts/receipts.ts'

const EDIT_ORGANIZATION = loadStatement(import.meta.url, 'edit-organization.sql')
/** Far more than an installation has. */
const LISTED_MAX = 1_000

/** Who sells, with what receipts say about it. */
export interface Organization extends Seller {
  readonly id: string
  /** The account at Stripe that gets the money of its events; null for the house's own. */
  readonly stripeAccount: string | null
}

/** These organizations, or all there are. */
export async function listOrganizations(db: Kysely<Schema>, ids: readonly string[] | null): Promise<Organization[]> {
  const found = organizations(db)
  const some = ids === null ? found : found.where(sql<boolean>`id = any (${[...ids]}::uuid[])`)
  return await some.orderBy('created_at').orderBy('id').limit(LISTED_MAX).execute()
}

export async function readOrganization(db: Kysely<Schema>, id: string): Promise<Organization | null> {
  return (await organizations(db).where('id', '=', id).executeTakeFirst()) ?? null
}

export interface OrganizationChange extends Partial<Seller> {
  /** Of payments that begin afterwards; left out, it stays. */
  readonly stripeAccount?: string | null
}

/** Changes what receipts to come say, or where money goes, and notes who did it; null when there is no such organization. */
export async function editOrganization(
  ledger: Primary,
  { id, by, change }: { readonly id: string; readonly by: string; readonly change: OrganizationChange },
): Promise<Organization | null> {
  const { name = null, address = null, taxNumber = null, stripeAccount } = change
  const parameters = [id, name, address, taxNumber, stripeAccount !== undefined, stripeAccount ?? null]
  return await inTransaction(ledger, async (transaction) => {
    const [row] = await transaction.run<Organization & { before: Record<string, string | null> }>(
      EDIT_ORGANIZATION,
      parameters,
    )
    if (row === undefined) return null
    const { before, ...organization } = row
    const { id: _, ...after } = organization
    const changed = Object.entries(after).filter(([field, value]) => before[field] !== value)
    if (changed.length === 0) return organization
    const names = changed.map(([field]) => [field, before[field] ?? null] as const)
    await recordAction(transaction.db, {
      ...{ actorId: by, kind: 'organization.edited', subject: id },
      ...{ before: Object.fromEntries(names), after: Object.fromEntries(changed) },
    })
    return organization
  })
}

const organizations = (db: Kysely<Schema>) =>
  db
    .selectFrom('organizations')
    .select(['id', 'name', 'address', 'tax_number as taxNumber', 'stripe_account as stripeAccount'])
