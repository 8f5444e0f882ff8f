import { context, trace } from '@opentelemetry/api'
import { type Config, VERSION } from '../config/index.ts'

/** Sends spans to the configured endpoint; the returned function sends what is left. Loads nothing without an endpoint. */
export async function startTracing({ traces }: Pick<Config, 'traces'>): Promise<() => Promise<void>> {
  if (traces === null) return async () => {}
  const [sdk, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({ url: `${traces.url}/v1/traces`, headers: { ...traces.headers } })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'seatwise', 'service.version': VERSION }),
    // Which requests are traced is decided where they arrive.
    sampler: new sdk.AlwaysOnSampler(),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return async () => {
    // A collector that is away must not keep a server from stopping.
    await provider.shutdown().catch(() => {})
    trace.disable()
    context.disable()
  }
}
