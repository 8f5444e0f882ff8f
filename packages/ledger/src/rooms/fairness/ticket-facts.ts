import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** What a fairness report needs of a ticket beyond the log. */
export interface TicketFacts {
  readonly number: number
  /** After the draw, if there was one. */
  readonly place: number
  /** Null once it was deleted. */
  readonly address: string | null
  readonly isAdmitted: boolean
}

const PAGE = 5_000

/** All tickets of a room, page by page, in the order of their numbers. */
export async function* readTicketFacts(db: Kysely<Schema>, room: string): AsyncGenerator<readonly TicketFacts[]> {
  for (let after = 0; ; ) {
    const page = await runStatement<TicketFacts>(db, READ_TICKET_FACTS, [room, after, PAGE])
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.number
  }
}

const READ_TICKET_FACTS = loadStatement(import.meta.url, 'read-ticket-facts.sql')
