import { Gauge, type Registry } from 'prom-client'

/** How full something is that grows with traffic, by its name in docs/bounds.md. */
export type BufferSizes = Readonly<Record<string, () => number>>

/** One gauge for each registry, and what it asks when it is read. */
const measured = new WeakMap<Registry, Map<string, () => number>>()

/**
 * Shows in `/metrics` how full queues, buffers and maps are. Asked only when somebody reads the metrics. A name that is
 * measured again replaces the one before.
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
    help: 'How many items queues, buffers and maps hold; docs/bounds.md tells how many they may',
    labelNames: ['buffer'],
    registers: [registry],
    collect() {
      for (const [buffer, size] of known) this.set({ buffer }, size())
    },
  })
  return known
}
