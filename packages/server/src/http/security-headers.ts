import type { Config } from '../config/index.ts'
import type { App } from './http-server.ts'

/** For answers that are data: nothing in them may be run, shown in a frame, or loaded from. */
const CONTENT_SECURITY_POLICY_DATA = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** For pages: only what this site itself serves, no inline script. */
export const CONTENT_SECURITY_POLICY_PAGE = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' https: data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self'",
].join('; ')

const HEADERS = Object.freeze({
  'content-security-policy': CONTENT_SECURITY_POLICY_DATA,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
})

const STRICT_TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains'

/**
 * The headers that keep browsers from doing harm with our answers. A constant object costs a fraction of what a plugin
 * takes that computes each header for each request; a page overrides its policy.
 */
export function securityHeaders(config: Config): Readonly<Record<string, string>> {
  // Over plain HTTP browsers ignore it; on a machine of a developer it would lock out http://localhost for a year.
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  return isHttps ? { ...HEADERS, 'strict-transport-security': STRICT_TRANSPORT_SECURITY } : HEADERS
}

/** Sets them, and the request's id, on everything that goes through the router. */
export function setSecurityHeaders(app: App, config: Config): void {
  const headers = securityHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    done()
  })
}
