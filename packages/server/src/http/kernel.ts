import { renewTokens } from '../identity/sessions/renew-tokens.ts'
import { measureBuffers } from '../kit/buffers.ts'
import { discardBody } from '../kit/discard-body.ts'
import type { Services } from '../main/services.ts'
import { createProofs } from '../rooms/routes/holder.ts'
import { enforceAccess } from './access/enforce-access.ts'
import { limitRates } from './access/limit-rates.ts'
import { answerError, toSeatwiseError } from './errors.ts'
import type { HttpLimits } from './http-limits.ts'
import { type App, createHttpServer } from './http-server.ts'
import { readJsonBodies } from './json-body.ts'
import { measureRequests } from './metrics.ts'
import { answerUnknownAddresses } from './not-found.ts'
import { DOCS_PATH } from './openapi.ts'
import { requirePlainAddresses } from './plain-text.ts'
import { refuseOtherSites } from './refuse/refuse-other-sites.ts'
import { refuseRepeatedHeaders } from './refuse/refuse-repeated-headers.ts'
import { refuseUnknownFields } from './refuse/refuse-unknown-fields.ts'
import { requireHost } from './refuse/require-host.ts'
import { logRequests } from './request-log.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { shedLoad } from './shedding.ts'
import { createSlowRefusals } from './slow-refusals.ts'
import { compileValidator } from './validation.ts'

/** A server without routes: what happens to every request, whatever it asks for. */
export function createKernel(services: Services, limits: HttpLimits): App {
  const app = createHttpServer(services, limits)
  const refusals = createSlowRefusals(() => services.lifecycle.stopping)
  measureBuffers(services.metrics, { held_refusals: () => refusals.held })
  app.setErrorHandler((thrown, request, reply) => {
    const error = toSeatwiseError(thrown)
    const answer = () => answerError(error, request, reply)
    if (error.code === 'BODY_TOO_LARGE') return discardBody(request.raw, limits.lingerMs).then(answer)
    if (error.code === 'OVERLOADED') return refusals.hold().then(answer)
    return answer()
  })
  app.setValidatorCompiler(compileValidator)
  measureRequests(app, services)
  setSecurityHeaders(app, services.config)
  logRequests(app, services)
  requireHost(app)
  refuseRepeatedHeaders(app)
  requirePlainAddresses(app)
  readJsonBodies(app, limits)
  refuseUnknownFields(app)
  answerUnknownAddresses(app)
  shedLoad(app, limits)
  if (services.config.rateLimits) {
    const buckets = limitRates(app, services.now)
    measureBuffers(services.metrics, { senders: () => buckets.size })
  }
  const proofs = createProofs(services.config, services.roomTokens)
  enforceAccess(app, services.identity, proofs, { [DOCS_PATH]: 'public' })
  refuseOtherSites(app, services.config)
  renewTokens(app, services)
  return app
}
