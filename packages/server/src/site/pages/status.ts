import { statusPage } from '@seatwise/web'
import type { App } from '../../http/index.ts'
import type { PageKit } from './page-kit.ts'

/** A part of the system as visitors know it. */
export type SystemPart = 'rooms' | 'sales'

/** How the parts are, as this server sees them. */
export interface Condition {
  readonly at: Date
  readonly parts: readonly { readonly part: SystemPart; readonly works: boolean; readonly since: Date }[]
}

/**
 * The public page about what works. It reads no store itself, is served while others are refused, and is the same for every visitor;
 * outside of the other pages, because those ask the ledger for the house's name.
 */
export function statusPages(app: App, kit: PageKit, readCondition: () => Promise<Condition>): void {
  const config = { access: 'public', essential: true } as const
  app.get('/status', { config, schema: { hide: true } }, async (request, reply) =>
    kit.send(request, reply, statusPage(kit.languageOf(request), await readCondition())),
  )
}
