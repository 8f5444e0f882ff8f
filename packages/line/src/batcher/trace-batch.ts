import { context, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('seatwise')

/** The span that is being recorded around a caller; undefined for all but sampled ones, and always while tracing is off. */
export function recordedSpan(): Span | undefined {
  const span = trace.getActiveSpan()
  return span?.isRecording() === true ? span : undefined
}

/**
 * Runs one call for many items. If some of them are traced, the call is a span of the first one's trace, linked to all, and each of
 * their spans is linked to it: so every trace goes on through the call.
 */
export async function traceBatch<Result>(
  name: string,
  spans: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const items = spans.filter((span) => span !== undefined)
  const [first] = items
  if (first === undefined) return await work()
  const links = items.map((span) => ({ context: span.spanContext() }))
  const options = { links, attributes: { 'seatwise.items': spans.length } }
  const batch = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, first))
  for (const span of items) span.addLink({ context: batch.spanContext() })
  try {
    return await context.with(trace.setSpan(ROOT_CONTEXT, batch), work)
  } catch (error) {
    batch.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    batch.end()
  }
}
