import type { App } from '../../http/index.ts'
import { measureBuffers } from '../../kit/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'
import { buyerPaperRoutes } from './buyer-routes.ts'
import { organizationRoutes } from './organization-routes.ts'
import { Press } from './press/press.ts'
import { settlementRoutes } from './settlement-routes.ts'

/** Receipts, credit notes and e-tickets as PDF, the seller's data, and settlements. */
export function paperworkRoutes(app: App, services: BoxOfficeServices, press: Press = new Press()): void {
  measureBuffers(services.metrics, { pending_papers: () => press.pending })
  buyerPaperRoutes(app, services, press)
  organizationRoutes(app, services)
  settlementRoutes(app, services, press)
  app.addHook('onClose', () => press.close())
}
