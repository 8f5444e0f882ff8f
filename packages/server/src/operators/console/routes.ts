import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { App } from '../../http/index.ts'
import { openCharts } from '../charts/open-charts.ts'
import { chartRoutes } from '../charts/routes.ts'
import { guardRoutes } from '../guarded/routes.ts'
import { trailRoutes } from '../trail/routes.ts'
import { admitRoutes } from './admit-routes.ts'
import { exportRoutes } from './export-routes.ts'
import { pulseRoutes } from './pulse-routes.ts'
import { readinessRoutes } from './readiness-routes.ts'
import { salesListRoutes } from './sales-list-routes.ts'
import { tableRoutes } from './table-routes.ts'

/** The routes of the operator's console, each useful to programs too. */
export function consoleRoutes(app: App, services: BoxOfficeServices): void {
  const charts = openCharts(services.ledger, services.metrics, services.now)
  salesListRoutes(app, services)
  pulseRoutes(app, services, charts)
  admitRoutes(app, services)
  chartRoutes(app, services, charts)
  tableRoutes(app, services)
  trailRoutes(app, services)
  readinessRoutes(app, services)
  exportRoutes(app, services)
  guardRoutes(app, services)
}
