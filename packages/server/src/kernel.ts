import { enforceAccess } from './access/enforce-access.ts'
import { limitRates } from './access/limit-rates.ts'
import { answerError } from './errors.ts'
import type { HttpLimits } from './http-limits.ts'
import { type App, createHttpServer } from './http-server.ts'
import { readJsonBodies } from './json-body.ts'
import { measureRequests } from './metrics.ts'
import { answerUnknownAddresses } from './not-found.ts'
import { DOCS_PATH } from './openapi.ts'
import { logRequests } from './request-log.ts'
import { setSecurityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { shedLoad } from './shedding.ts'
import { compileValidator } from './validation.ts'

/** A server without routes: what happens to every request, whatever it asks for. */
export function createKernel(services: Services, limits: HttpLimits): App {
  const app = createHttpServer(services, limits)
  app.setErrorHandler(answerError)
  app.setValidatorCompiler(compileValidator)
  measureRequests(app, services)
  setSecurityHeaders(app, services.config)
  logRequests(app, services)
  readJsonBodies(app, limits)
  answerUnknownAddresses(app)
  shedLoad(app)
  if (services.config.rateLimits) limitRates(app, services.now)
  enforceAccess(app, services.identity, { [DOCS_PATH]: 'public' })
  return app
}
