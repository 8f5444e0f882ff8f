import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import type { PageKit } from '../../site/index.ts'
import { sitePages } from '../guarded/site-pages.ts'
import { keyPages } from './key-pages.ts'
import { settingsPages } from './settings-pages.ts'
import { teamPages } from './team-pages.ts'
import { webhookPages } from './webhook-pages.ts'

/** The console's pages about an organization. */
export function organizationPages(app: App, services: BoxOfficeServices, kit: PageKit): void {
  settingsPages(app, services, kit)
  teamPages(app, services, kit)
  keyPages(app, services, kit)
  webhookPages(app, services, kit)
  sitePages(app, services, kit)
}
