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

/** Fastify with our limits, and without anything that answers in another format than ours. */
export function createHttpServer(base: Pick<Base, 'config' | 'log'>, limits: HttpLimits): App {
  const isTrusted = trustedAddresses(base.config.trustedProxies)
  const headers = securityHeaders(base.config)
  return Fastify({
    loggerInstance: base.log as FastifyBaseLogger,
    // Requests are logged by request-log.ts, errors by errors.ts.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would search its bindings for secrets each time, 7 % of the time of a request.
    // Those few that write something say `requestId` themselves.
    childLoggerFactory: (log) => log,
    genReqId: (request) => requestId(request, isTrusted),
    // Without any, the address is the socket's, and no header has to be looked at.
    trustProxy: base.config.trustedProxies.length > 0 && ((address) => isTrusted(address)),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.silenceMs,
    forceCloseConnections: 'idle',
    // Requests that are already on a connection when we stop are still served; the connection closes after them.
    return503OnClosing: false,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would refuse in a form of its own; require-host.ts does it in ours.
      requireHostHeader: false,
      // All others who wish for another protocol are answered in this one.
      shouldUpgradeCallback: isForWebSockets,
    },
    routerOptions: { maxParamLength: 256 },
    clientErrorHandler: answerSocketError,
    // An address that cannot be decoded never reaches the router, and so no hook either.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      answerError(error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()
}

function isForWebSockets({ url = '', headers }: IncomingMessage): boolean {
  return url.split('?', 1)[0] === '/realtime' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Our own id, unless a proxy that we trust has given one: outsiders must not write into our logs. */
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
