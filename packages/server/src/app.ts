import { enforceAccess } from './access/enforce-access.ts'
import { limitRates } from './access/limit-rates.ts'
import { accountRoutes } from './accounts/routes.ts'
import { answerError } from './errors.ts'
import { healthRoutes } from './health.ts'
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts'
import { type App, createHttpServer } from './http-server.ts'
import { readJsonBodies } from './json-body.ts'
import { keysRoutes } from './keys/routes.ts'
import { measureRequests, metricsRoutes } from './metrics.ts'
import { answerUnknownAddresses } from './not-found.ts'
import { DOCS_PATH, describeRoutes } from './openapi.ts'
import { logRequests } from './request-log.ts'
import { setSecurityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { shedLoad } from './shedding.ts'
import { compileValidator } from './validation.ts'

export type { App } from './http-server.ts'

/** Builds the whole server. What it can do is the list below, in this order; nothing is loaded by itself. */
export async function buildApp(services: Services, limits: HttpLimits = HTTP_LIMITS): Promise<App> {
  const app = createHttpServer(services, limits)
  app.setErrorHandler(answerError)
  app.setValidatorCompiler(compileValidator)

  // What happens to every request.
  measureRequests(app, services)
  setSecurityHeaders(app, services.config)
  logRequests(app, services)
  readJsonBodies(app, limits)
  answerUnknownAddresses(app)
  shedLoad(app)
  if (services.config.rateLimits) limitRates(app, services.now)
  enforceAccess(app, services.identity, { [DOCS_PATH]: 'public' })

  // What it answers.
  await describeRoutes(app)
  healthRoutes(app, services)
  metricsRoutes(app, services)
  accountRoutes(app, services)
  keysRoutes(app, services)

  await app.ready()
  return app
}
