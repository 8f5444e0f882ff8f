import { type Kysely, sql } from 'kysely'
import { LedgerUnsuitable } from '../ledger-errors.ts'
import type { Schema } from '../schema/schema.ts'

const VERSION_MIN = 150_000

interface Nature {
  version: number
  release: string
  name: string
  encoding: string
  ctype: string
}

/** Refuses a database that would work at first and then fail: too old, or without a locale for letters beyond ASCII. */
export async function refuseUnsuitable(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<Nature>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as release,
           datname as name, pg_encoding_to_char(encoding) as encoding, datctype as ctype
      from pg_database
     where datname = current_database()`.execute(db)
  const [nature] = rows
  if (nature === undefined) throw new Error('The database does not know its own name.')

  const { version, release, name, encoding, ctype } = nature
  if (version < VERSION_MIN) {
    throw new LedgerUnsuitable(`PostgreSQL 15 or newer is needed, and this is ${release}. Upgrade it.`)
  }
  // Under C or POSIX no letter outside ASCII is a letter, and a search for Korean or Vietnamese finds nothing.
  if (encoding !== 'UTF8' || ctype === 'C' || ctype === 'POSIX') {
    throw new LedgerUnsuitable(
      `The database ${name} has encoding ${encoding} and locale ${ctype}, and a UTF-8 locale is needed. Create it anew: ` +
        `create database … template template0 encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'.`,
    )
  }
}
