export {
  ACCOUNT_ROLES,
  type AccountRole,
  type Actor,
  ROLES,
  type Role,
  type TokenSession,
} from './access/access.ts'
export { actorOf } from './access/actor.ts'
export { networkOf, senderOf } from './access/address.ts'
export { askingPage } from './access/asking-page.ts'
export type { Callers } from './access/callers.ts'
export { bearerToken } from './access/enforce-access.ts'
export { createBuckets, type RateLimit, REGISTRATION_LIMIT } from './access/limit-rates.ts'
export { accountOf, isAdmin, isOperator, mayDo, organizationsFor } from './access/may-do.ts'
export { foreignSale, isOfSale, requireSale, type SaleScope, type ServesSale } from './access/sale-scope.ts'
export type { StrongSignIn } from './access/strong.ts'
export type { Base, Siblings } from './base.ts'
export { addCookie, hasCookie, readCookie } from './cookies.ts'
export { isDeliberateVisit, isOnlyALook } from './deliberate-visit.ts'
export { describeError, toSeatwiseError } from './errors.ts'
export { EVENT_BODY_BYTES, HTTP_LIMITS, type HttpLimits, IMAGE_BODY_BYTES } from './http-limits.ts'
export type { App } from './http-server.ts'
export { createHttpKernel } from './kernel.ts'
export { type Measured, measureProcess, metricsRoutes } from './metrics.ts'
export { describeRoutes } from './openapi/openapi.ts'
export { comesFromOwnPages, ownOrigin } from './own-pages.ts'
export { findStrangeText } from './plain-text.ts'
export type { Renewal } from './renew-tokens.ts'
export { CONTENT_SECURITY_POLICY_PAGE } from './security-headers.ts'
export { compileFormValidator, compileValidator } from './validation.ts'
