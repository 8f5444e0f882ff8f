import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('seatwise')

/**
 * The same work as a span of the trace that is being recorded around its caller; without one it is only called. A span says how
 * long the work took and whether it failed: arguments may hold tokens, and messages of errors what a client sent.
 */
export function traced<Arguments extends unknown[], Result>(
  name: string,
  work: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  return (...args) => {
    if (trace.getActiveSpan()?.isRecording() !== true) return work(...args)
    return tracer.startActiveSpan(name, (span) => endWith(span, () => work(...args)))
  }
}

/** Every method of an object that returns a promise, each as a span of its own name. */
export function tracedMethods<Methods extends object>(prefix: string, methods: Methods): Methods {
  return new Proxy(methods, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string') return method
      return (...args: unknown[]) => {
        const call = (): unknown => Reflect.apply(method, target, args)
        if (trace.getActiveSpan()?.isRecording() !== true) return call()
        return tracer.startActiveSpan(`${prefix}.${name}`, (span) => endAfter(span, call))
      }
    },
  })
}

/** Of a request: the work runs inside of its span, also where the way to it lost the context. */
export function inside(span: Span, work: () => void): void {
  context.with(trace.setSpan(context.active(), span), work)
}

async function endWith<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    fail(span, error)
    throw error
  } finally {
    span.end()
  }
}

function endAfter(span: Span, call: () => unknown): unknown {
  const result = call()
  if (result instanceof Promise) return endWith(span, async () => result)
  span.end()
  return result
}

/** The code of the catalogue, or the kind of error; never its message. */
function fail(span: Span, error: unknown): void {
  const kind = error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown'
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
