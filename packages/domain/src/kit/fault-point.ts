/*
 * Named places where a test may break the program.
 *
 *   if (faults.on) await faults.reach('join.before-apply')
 *
 * Off, a fault point costs one test of a boolean. Only tests arm points: in their own process with `faults.arm`, in a
 * server they started through SEATWISE_FAULTS.
 */

/** Every fault point. A test that goes through "every point of join" takes the names that start with `join.`. */
export const FAULT_POINTS = [
  'join.before-apply',
  'join.after-apply',
  'admit.before-apply',
  'admit.after-apply',
  'enter.before-apply',
  'enter.after-apply',
  'leave.before-apply',
  'leave.after-apply',
  'follow.before-commit',
  'follow.after-commit',
  'draw.after-seal',
  'draw.before-places',
  'draw.between-places',
  'draw.before-reveal',
  'draw.after-reveal',
  'rebuild.after-epoch',
  'rebuild.before-open',
  'reserve.after-gate',
  'reserve.inside-transaction',
  'reserve.after-commit',
  'reserve.after-settle',
  'expire.inside-transaction',
  'expire.after-commit',
  'pay.after-start',
  'pay.after-prepare',
  'pay.after-provider',
  'pay.inside-confirm',
  'pay.after-confirm',
  'refund.inside-start',
  'refund.after-start',
  'refund.after-provider',
  'refund.inside-finish',
  'refund.after-finish',
  'cancel.inside-transaction',
  'cancel.after-commit',
  'cancel.after-line',
  'cancel.after-refund',
  'cancel.before-done',
  'receipts.inside-transaction',
  'door.after-gate',
  'door.inside-transaction',
  'door.after-commit',
  'door.after-settle',
  'receipts.after-commit',
  'transfer.inside-offer',
  'transfer.after-offer',
  'transfer.inside-accept',
  'transfer.after-accept',
  'returns.inside-offer',
  'returns.after-offer',
  'returns.inside-accept',
  'returns.after-accept',
  'adopt.inside-transaction',
  'adopt.after-commit',
  'erase.inside-begin',
  'erase.after-begin',
  'erase.after-line',
  'erase.after-mail',
  'erase.between-steps',
  'erase.after-ledger',
  'erase.after-log',
  'outbox.before-send',
  'outbox.after-send',
] as const

export type FaultPoint = (typeof FAULT_POINTS)[number]
type OperationOf<Point> = Point extends `${infer Operation}.${string}` ? Operation : never

/** What happens at an armed point: it may throw, wait, or end the process. */
export type FaultAction = (point: FaultPoint, visit: number) => void | Promise<void>

interface ArmedFault {
  readonly action: FaultAction
  /** Act at this visit only, counted from 1; undefined means at every visit. */
  readonly atVisit: number | undefined
}

class Faults {
  /** True while points are watched or armed. Read it before every `reach`. */
  on = false
  readonly #armed = new Map<FaultPoint, ArmedFault>()
  readonly #visits = new Map<FaultPoint, number>()

  /** Counts the visit, and does what was armed for it. */
  async reach(point: FaultPoint): Promise<void> {
    const visit = this.visits(point) + 1
    this.#visits.set(point, visit)
    const fault = this.#armed.get(point)
    if (fault === undefined || (fault.atVisit ?? visit) !== visit) return
    await fault.action(point, visit)
  }

  /** How often a point was reached since the points were last switched on. */
  visits(point: FaultPoint): number {
    return this.#visits.get(point) ?? 0
  }

  /** Switches the points on, so that visits are counted without any action. */
  watch(): void {
    this.on = true
  }

  arm(point: FaultPoint, action: FaultAction, atVisit?: number): void {
    this.#armed.set(point, { action, atVisit })
    this.on = true
  }

  /** Disarms all points and forgets the visits. Code that waits at a point still waits for its own action. */
  disarm(): void {
    this.on = false
    this.#armed.clear()
    this.#visits.clear()
  }
}

/** The fault points of this process. */
export const faults: Faults = new Faults()

export function isFaultPoint(name: string): name is FaultPoint {
  return FAULT_POINTS.some((point) => point === name)
}

/** The points of one operation, for tests that go through all of them. */
export function faultPointsOf(operation: OperationOf<FaultPoint>): readonly FaultPoint[] {
  return FAULT_POINTS.filter((point) => point.startsWith(`${operation}.`))
}
