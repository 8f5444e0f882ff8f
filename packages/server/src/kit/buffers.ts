import { Gauge, type Registry } from 'prom-client'

/** Returns how many items a queue, buffer or map holds, by its name in docs/bounds.md. */
export type BufferSizes = Readonly<Record<string, () => number>>

/** One gauge per registry, with the functions it calls when it is read. */
const measured = new WeakMap<Registry, Map<string, () => number>>()

/**
 * Exports the size of queues, buffers and maps in `/metrics`. Sizes are read only when the metrics are scraped.
 * Registering a name again replaces the earlier function.
 */
export function measureBuffers(registry: Registry, sizes: BufferSizes): void {
  const known = measured.get(registry) ?? measureIn(registry)
  for (const [name, size] of Object.entries(sizes)) known.set(name, size)
}

function measureIn(registry: Registry): Map<string, () => number> {
  const known = new Map<string, () => number>()
  measured.set(registry, known)
  new Gauge({
    name: 'seatwise_buffered_items',
    help: 'Items in queues, buffers and maps; docs/bounds.md states the maximum of each',
    labelNames: ['buffer'],
    registers: [registry],
    collect() {
      for (const [buffer, size] of known) this.set({ buffer }, size())
    },
  })
  return known
}
