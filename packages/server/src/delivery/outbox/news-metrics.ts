import type { DeliveryKind } from '@seatwise/ledger'
import { Counter, Gauge, type Registry } from 'prom-client'

/** What `/metrics` tells about the news: above all whether some of it was set aside, which needs an operator. */
export interface NewsMetrics {
  delivered(kind: DeliveryKind): void
  failed(kind: DeliveryKind): void
  setAside(kind: DeliveryKind): void
  inStore(counts: { readonly waiting: number; readonly setAside: number }): void
}

export function createNewsMetrics(registry: Registry): NewsMetrics {
  const registers = [registry]
  const deliveries = new Counter({
    name: 'seatwise_news_deliveries_total',
    help: 'Delivery attempts of this server, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const waiting = new Gauge({
    name: 'seatwise_news_waiting',
    help: 'News and deliveries that were pending when this server last looked.',
    // Every server looks at the same store.
    aggregator: 'max',
    registers,
  })
  const setAside = new Gauge({
    name: 'seatwise_news_set_aside',
    help: 'Deliveries that are not retried any more; each one needs an operator.',
    aggregator: 'max',
    registers,
  })
  return {
    delivered: (kind) => deliveries.inc({ kind, outcome: 'delivered' }),
    failed: (kind) => deliveries.inc({ kind, outcome: 'failed' }),
    setAside: (kind) => deliveries.inc({ kind, outcome: 'set_aside' }),
    inStore(counts) {
      waiting.set(counts.waiting)
      setAside.set(counts.setAside)
    },
  }
}
