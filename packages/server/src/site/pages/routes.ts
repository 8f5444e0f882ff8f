import type { App } from '../../http/http-server.ts'
import type { Services } from '../../main/services.ts'
import { consolePages } from '../../operators/console/pages.ts'
import { assetRoutes } from './assets.ts'
import { readCanceledNotices } from './canceled-notice.ts'
import { checkoutPages } from './checkout.ts'
import { readForms } from './forms.ts'
import { handoverPages } from './handover.ts'
import { ownedPages } from './owned.ts'
import { createPageKit } from './page-kit.ts'
import type { PageSources } from './page-parts.ts'
import { hostedPageRoutes } from './sandbox-page.ts'
import { seatsPages } from './seats.ts'
import { shoppingPages } from './shopping.ts'
import { signInPages } from './sign-in.ts'
import { answerWithPages } from './trouble.ts'
import { waitPages } from './wait.ts'

/** What people see: every page, and what pages load. Each file below is one page or the pages of one task. */
export function pageRoutes(app: App, services: Services, sources: PageSources): void {
  const kit = createPageKit(services)
  // Here, because pages are also sent from outside the scope: the sandbox's bank, and addresses that lead nowhere.
  app.decorateRequest('canceled', null)
  const parts = { ...services, ...sources, kit }
  if (sources.payments.provider.name === 'sandbox') hostedPageRoutes(app, services.ledger, kit)
  app.register(async (plugin) => {
    const scope = plugin as App
    readForms(scope, services)
    readCanceledNotices(scope, services)
    answerWithPages(app, scope, services, kit)
    assetRoutes(scope, kit.assets)
    shoppingPages(scope, parts)
    signInPages(scope, services, kit)
    waitPages(scope, parts)
    handoverPages(scope, parts)
    seatsPages(scope, parts)
    checkoutPages(scope, parts)
    ownedPages(scope, parts)
    consolePages(scope, services, kit)
  })
}
