import { consolePages } from '../console/pages.ts'
import type { EventReads } from '../events/event-reads.ts'
import type { App } from '../http-server.ts'
import type { Payments } from '../payments/payments.ts'
import type { Services } from '../services.ts'
import { assetRoutes } from './assets.ts'
import { checkoutPages } from './checkout.ts'
import { readForms } from './forms.ts'
import { ownedPages } from './owned.ts'
import { createPageKit } from './page-kit.ts'
import { seatsPages } from './seats.ts'
import { shoppingPages } from './shopping.ts'
import { signInPages } from './sign-in.ts'
import { answerWithPages } from './trouble.ts'
import { waitPages } from './wait.ts'

/** What people see: every page, and what pages load. Each file below is one page or the pages of one task. */
export function pageRoutes(app: App, services: Services, reads: EventReads, payments: Payments): void {
  const kit = createPageKit(services)
  const parts = { ...services, kit, reads, payments }
  app.register(async (plugin) => {
    const scope = plugin as App
    readForms(scope, services)
    answerWithPages(app, scope, services, kit)
    assetRoutes(scope, kit.assets)
    shoppingPages(scope, parts)
    signInPages(scope, services, kit)
    waitPages(scope, parts)
    seatsPages(scope, parts)
    checkoutPages(scope, parts)
    ownedPages(scope, parts)
    consolePages(scope, services, kit)
  })
}
