import { discardBody, measureBuffers } from '../kit/index.ts'
import { askingPageOfLink } from './access/asking-page.ts'
import type { Callers } from './access/callers.ts'
import { enforceAccess } from './access/enforce-access.ts'
import { limitRates } from './access/limit-rates.ts'
import { allowReading } from './access/reading-origins.ts'
import { requireFreshCallers } from './access/require-fresh.ts'
import type { Base } from './base.ts'
import { answerError, toSeatwiseError } from './errors.ts'
import type { HttpLimits } from './http-limits.ts'
import { type App, createHttpServer } from './http-server.ts'
import { readJsonBodies } from './json-body.ts'
import { measureRequests } from './metrics.ts'
import { answerUnknownAddresses } from './not-found.ts'
import { DOCS_PATH } from './openapi/openapi.ts'
import { refuseByHead, refuseOtherSites } from './refuse-by-head.ts'
import { refuseUnknownFields } from './refuse-unknown-fields.ts'
import { type Renewal, renewTokens } from './renew-tokens.ts'
import { logRequests } from './request-log.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { compileSerializer } from './serialization.ts'
import { shedLoad } from './shedding.ts'
import { createSlowRefusals } from './slow-refusals.ts'
import { traceRequests } from './trace-requests.ts'
import { compileValidator } from './validation.ts'

type KernelBase = Pick<Base, 'config' | 'log' | 'lifecycle' | 'metrics' | 'now' | 'secrets'>

/** A server without routes: everything that applies to every request. */
export function createHttpKernel(
  base: KernelBase,
  limits: HttpLimits,
  callers: Callers,
  renewals: readonly Renewal[],
): App {
  const app = createHttpServer(base, limits)
  const refusals = createSlowRefusals(() => base.lifecycle.stopping)
  measureBuffers(base.metrics, { held_refusals: () => refusals.held })
  app.setErrorHandler((thrown, request, reply) => {
    const error = toSeatwiseError(thrown)
    const page = askingPageOfLink(error.code, request)
    if (page !== null) return reply.redirect(page, 303)
    const answer = () => answerError(error, request, reply)
    if (error.code === 'BODY_TOO_LARGE') return discardBody(request.raw, limits.lingerMs).then(answer)
    if (error.code === 'OVERLOADED') return refusals.hold().then(answer)
    return answer()
  })
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  measureRequests(app, base)
  setSecurityHeaders(app, base.config)
  allowReading(app, base.config)
  logRequests(app, base)
  traceRequests(app, base)
  refuseByHead(app)
  readJsonBodies(app, limits)
  refuseUnknownFields(app)
  answerUnknownAddresses(app)
  shedLoad(app, limits, base.lifecycle)
  if (base.config.rateLimits) {
    const buckets = limitRates(app, base.now, { workers: base.config.workers })
    measureBuffers(base.metrics, { senders: () => buckets.size })
  }
  enforceAccess(app, callers, { [DOCS_PATH]: 'public' })
  requireFreshCallers(app, callers)
  refuseOtherSites(app, base.config)
  renewTokens(app, base, renewals)
  return app
}
