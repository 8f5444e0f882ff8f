import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import type { Base } from './base.ts'
import { answerError } from './errors.ts'
import type { HttpLimits } from './http-limits.ts'
import { securityHeaders } from './security-headers.ts'
import { answerSocketError } from './socket-errors.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Fastify with our limits, and with every error in our format. */
export function createHttpServer(base: Pick<Base, 'config' | 'log'>, limits: HttpLimits): App {
  const isTrusted = trustedAddresses(base.config.trustedProxies)
  const headers = securityHeaders(base.config)
  return Fastify({
    loggerInstance: base.log as FastifyBaseLogger,
    // request-log.ts logs requests, errors.ts logs errors.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request would search its bindings for secrets each time, which took 7 % of a request. The few lines
    // that are written for a request name its `requestId` themselves.
    childLoggerFactory: (log) => log,
    genReqId: (request) => requestId(request, isTrusted),
    // Without trusted proxies, the address is the socket's, and no header is read.
    trustProxy: base.config.trustedProxies.length > 0 && ((address) => isTrusted(address)),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.silenceMs,
    forceCloseConnections: 'idle',
    // Requests that are already on a connection at shutdown are still served; the connection closes after them.
    return503OnClosing: false,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would refuse in its own format; refuse-by-head.ts refuses in ours.
      requireHostHeader: false,
      // All other upgrade requests are answered over HTTP.
      shouldUpgradeCallback: isForWebSockets,
    },
    routerOptions: { maxParamLength: 256 },
    clientErrorHandler: answerSocketError,
    // A URL that cannot be decoded never reaches the router, and therefore no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      answerError(error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
}

function isForWebSockets({ url = '', headers }: IncomingMessage): boolean {
  return url.split('?', 1)[0] === '/realtime' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Our own id, unless a trusted proxy set one: other clients must not write into our logs. */
function requestId(request: IncomingMessage, isTrusted: (address: string) => boolean): string {
  const given = request.headers['x-request-id']
  if (given === undefined) return randomUUID()
  const isAcceptable = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)
  return isAcceptable && isTrusted(request.socket.remoteAddress ?? '') ? given : randomUUID()
}

function trustedAddresses(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false
  const trusted = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return trusted.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}
