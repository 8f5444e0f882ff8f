import { countRecoveryCodes, listPasskeys } from '@seatwise/ledger'
import { strongPage } from '@seatwise/web'
import { ACCOUNT_ROLES, type App, actorOf } from '../../../http/index.ts'
import { signsInByProvider } from '../../../identity/index.ts'
import { ownPath } from '../own-path.ts'
import { queryOf } from '../page-kit.ts'
import type { PageParts } from '../page-parts.ts'

/** Where managers and admins show a passkey, or make their first, in a house that asks for it. */
export function strongPages(app: App, parts: PageParts): void {
  const { kit, ledger } = parts
  app.get('/sign-in/strong', { config: { access: ACCOUNT_ROLES }, schema: { hide: true } }, async (request, reply) => {
    const actor = actorOf(request)
    const { id, isWeak } = actor
    const next = ownPath(queryOf(request, 'next'))
    if (isWeak !== true) return reply.redirect(next, 303)
    const [passkeys, codes] = await Promise.all([listPasskeys(ledger.db, id), countRecoveryCodes(ledger.db, id)])
    const hasPasskey = passkeys.length + codes > 0
    const hasFailed = queryOf(request, 'failed') !== undefined
    const hasProvider = await signsInByProvider(parts, actor)
    const facts = { next, hasPasskey, hasFailed, hasProvider }
    return kit.send(request, reply, strongPage(kit.languageOf(request), facts))
  })
}
