import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { inside } from '../kit/index.ts'
import type { Base } from './base.ts'
import type { App } from './http-server.ts'

const tracer = trace.getTracer('seatwise')

/**
 * Records a share of the requests as spans, named by method and route template. What a caller says about tracing is ignored: a
 * stranger could make every request cost a trace. The share is drawn here, so that all other requests cost one random number.
 */
export function traceRequests(app: App, { config }: Pick<Base, 'config'>): void {
  if (config.traces === null) return
  const { share } = config.traces
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown')
    if (Math.random() < share && request.routeOptions.config.lasting !== true) {
      const attributes = {
        'http.request.method': request.method,
        'http.route': route,
        'seatwise.request_id': request.id,
      }
      const options = { kind: SpanKind.SERVER, root: true, attributes }
      spans.set(request, tracer.startSpan(`${request.method} ${route}`, options, ROOT_CONTEXT))
    }
    done()
  })
  // Not earlier: the context is lost while a body arrives.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else inside(span, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}
