import { faults } from '@seatwise/domain'
import {
  type Delivery,
  type DeliveryKind,
  failDelivery,
  finishDelivery,
  type Ledger,
  leaseDeliveries,
} from '@seatwise/ledger'
import type { Logger } from 'pino'
import { type Repeater, repeat, retrySeconds } from '../../kit/index.ts'
import type { NewsMetrics } from './news-metrics.ts'

/** Thrown by a sender when a retry cannot help. */
export class Undeliverable extends Error {
  override readonly name = 'Undeliverable'
}

export interface CourierOptions {
  readonly kind: DeliveryKind
  readonly ledger: Ledger
  readonly log: Logger
  readonly metrics: NewsMetrics
  /**
   * Resolves when the receiver has it. May be called again with the same news, which has the same id. Must end before
   * the lease.
   */
  readonly send: (delivery: Delivery) => Promise<void>
  readonly pollMs?: number
  readonly leaseSeconds?: number
  readonly retrySeconds?: (attempts: number, luck: number) => number | null
  readonly restSecondsMax?: number
}

const POLL_MS = 500
/** Longer than any send may take, and short enough that the deliveries of a dead server are not late. */
const LEASE_SECONDS = 20
/** A dead webhook costs one call in this time. */
const REST_SECONDS_MAX = 60
/** How many receivers may be called at once; no database connection is held meanwhile. */
const IN_FLIGHT_MAX = 16

/**
 * Delivers what is due, of one kind, at least once: a courier leases a delivery, sends it, then marks it as sent. Any
 * number of servers run couriers at the same time.
 */
export function startCourier(options: CourierOptions): Repeater {
  const { kind, ledger, log, pollMs: everyMs = POLL_MS, leaseSeconds = LEASE_SECONDS } = options
  const inFlight = new Set<Promise<void>>()
  const onError = (err: unknown) => log.error({ err, kind }, 'could not read the deliveries that are due')
  const repeater = repeat(takeSome, { everyMs, onError })
  return {
    wake: () => repeater.wake(),
    async close() {
      await repeater.close()
      await Promise.all(inFlight)
    },
  }

  async function takeSome(): Promise<boolean> {
    const max = IN_FLIGHT_MAX - inFlight.size
    if (max === 0) return false
    for (const delivery of await leaseDeliveries(ledger.db, { kind, max, leaseSeconds })) {
      const work = deliver(options, delivery)
        .catch((err: unknown) => log.error({ err, kind, delivery: delivery.id }, 'could not record a delivery'))
        .finally(() => {
          inFlight.delete(work)
          // The next news of this reservation may go now.
          repeater.wake()
        })
      inFlight.add(work)
    }
    return false
  }
}

async function deliver(options: CourierOptions, delivery: Delivery): Promise<void> {
  const { kind, ledger, metrics, send } = options
  try {
    if (faults.on) await faults.reach('outbox.before-send')
    await send(delivery)
    if (faults.on) await faults.reach('outbox.after-send')
  } catch (error) {
    await noteFailure(options, delivery, error)
    return
  }
  await finishDelivery(ledger.db, delivery)
  metrics.delivered(kind)
}

async function noteFailure(options: CourierOptions, delivery: Delivery, error: unknown): Promise<void> {
  const { kind, ledger, log, metrics } = options
  const seconds =
    error instanceof Undeliverable ? null : (options.retrySeconds ?? retrySeconds)(delivery.attempts, Math.random())
  const problem = error instanceof Error ? error.message : String(error)
  const { restSecondsMax = REST_SECONDS_MAX } = options
  await failDelivery(ledger.db, delivery, { problem, retrySeconds: seconds, restSecondsMax })
  const { id, type, reservationId, attempts, webhookId } = delivery
  const about = { kind, delivery: id, type, reservation: reservationId, attempts, webhook: webhookId, err: error }
  if (seconds === null) {
    metrics.setAside(kind)
    log.error(about, 'news could not be delivered and was set aside')
  } else {
    metrics.failed(kind)
    log.warn({ ...about, retrySeconds: Math.round(seconds) }, 'news could not be delivered yet')
  }
}
