import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { afterSalePages } from './after-sale.ts'
import { assetRoutes } from './assets.ts'
import { auditPages } from './audit.ts'
import { readCanceledNotices } from './canceled-notice.ts'
import { checkoutPages } from './checkout.ts'
import { codePages } from './event-code.ts'
import { fairnessPages } from './fairness.ts'
import { robotPages } from './for-robots.ts'
import { readForms } from './forms.ts'
import { handoverPages } from './handover.ts'
import { invitationPages } from './invitations.ts'
import { ownedPages } from './owned.ts'
import { createPageKit, type PageKit } from './page-kit.ts'
import type { PageSources } from './page-parts.ts'
import { hostedPageRoutes } from './sandbox-page.ts'
import { seatsPages } from './seats.ts'
import { shoppingPages } from './shopping.ts'
import { signInPages } from './sign-in/sign-in.ts'
import { statusPages } from './status.ts'
import { answerWithPages } from './trouble.ts'
import { waitPages } from './wait.ts'

/** Every page, and the assets of pages. Each file below is one page or the pages of one task. */
/** Pages of a folder below this one, sent in the same frame and with the same forms. */
export type MorePages = (scope: App, kit: PageKit) => void

export function pageRoutes(app: App, services: BoxOfficeServices, sources: PageSources, more: MorePages): void {
  const kit = createPageKit(services, sources.hosts)
  // Here, because pages are also sent from outside the scope: the sandbox's bank, and the page for unknown addresses.
  app.decorateRequest('canceled', null)
  app.decorateRequest('staleSeconds', null)
  const parts = { ...services, ...sources, visits: services.boxOffice, kit }
  if (sources.payments.provider.name === 'sandbox') hostedPageRoutes(app, services.ledger, kit)
  statusPages(app, kit, sources.readCondition)
  app.register(async (scope: App) => {
    readForms(scope, services)
    readCanceledNotices(scope, services)
    // Every page has the name of the house at its head.
    scope.addHook('preHandler', async () => {
      await sources.hosts.house()
    })
    answerWithPages(app, scope, services, kit)
    assetRoutes(scope, kit.assets)
    shoppingPages(scope, parts)
    robotPages(scope, parts)
    signInPages(scope, parts)
    codePages(scope, parts)
    waitPages(scope, parts)
    handoverPages(scope, parts)
    auditPages(scope, parts)
    fairnessPages(scope, parts)
    seatsPages(scope, parts)
    checkoutPages(scope, parts)
    ownedPages(scope, parts)
    afterSalePages(scope, parts)
    invitationPages(scope, parts)
    more(scope, kit)
  })
}
