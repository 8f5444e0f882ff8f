import type { App } from '../http-server.ts'
import type { Services } from '../services.ts'
import { assetRoutes } from './assets.ts'
import { readForms } from './forms.ts'
import { createPageKit } from './page-kit.ts'
import { signInPages } from './sign-in.ts'
import { answerWithPages } from './trouble.ts'

/** What people see: every page, and what pages load. Each file below is one page or the pages of one task. */
export function pageRoutes(app: App, services: Services): void {
  const kit = createPageKit(services)
  app.register(async (plugin) => {
    const scope = plugin as App
    readForms(scope, services)
    answerWithPages(app, scope, services, kit)
    assetRoutes(scope, kit.assets)
    signInPages(scope, services, kit)
  })
}
