import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, startServer, temporaryFolder } from '@seatwise/testbench'
import { http, openSale } from '../tests/crash/shop.ts'
import { startCollector } from '../tests/tracing/collector.ts'
import { drawSteps, PAYING, payOnPage, stepsOf } from '../tests/tracing/purchase-trace.ts'

// Draws docs/screens/purchase-trace.svg: one purchase on a page, as a collector receives it. Some are bought before, because the
// first of everything takes longer.
const collector = await startCollector()
const folder = await temporaryFolder()
const server = await startServer({
  mode: 'embedded',
  dataDir: folder,
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' },
})
try {
  const sale = await openSale(server)
  for (let count = 0; count < 30; count += 1) await payOnPage(server, sale)
  await server.stop()
  const spans = collector.spans()
  const last = spans.filter(({ name }) => name === PAYING).at(-1)
  const steps = stepsOf(
    spans.filter(({ traceId }) => traceId === last?.traceId),
    PAYING,
  )
  const file = join(import.meta.dirname, '../docs/screens/purchase-trace.svg')
  writeFileSync(file, drawSteps(steps, 'A purchase, from the page to the provider'))
} finally {
  await server.discard()
  await collector.close()
  await http.close()
  await removeFolder(folder)
}
