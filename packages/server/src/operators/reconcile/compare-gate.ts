import { setTimeout as delay } from 'node:timers/promises'
import { type Drift, type Ledger, type Reconciled, readTicketSeats, type SeatsOfTickets } from '@seatwise/ledger'
import type { FloorItem, Settlement } from '@seatwise/line'
import { differences, FLOOR_MAX } from '../../box-office/index.ts'

/** As much of a room as a comparison needs. */
export interface Gate {
  floor(limit: number): Promise<FloorItem[]>
  settle(settlement: Settlement): Promise<unknown>
}

/** By then the line has been told of everything that was under way. */
const SETTLED_MS = 1_500
const AGREED: Reconciled = { repaired: [], left: [] }

/**
 * Compares what the line records for tickets on the floor with the ledger, and corrects the line. A difference counts
 * only if it persists: claims reach the ledger before the line.
 */
export async function compareGate(
  gate: Gate,
  db: Ledger['db'],
  { eventId, dryRun, settledMs = SETTLED_MS }: { eventId: string; dryRun: boolean; settledMs?: number },
): Promise<Reconciled> {
  const first = await look(gate, db, eventId)
  if (first === null || first.drift.size === 0) return AGREED
  await delay(settledMs)
  const second = await look(gate, db, eventId)
  if (second === null) return AGREED
  const lasting = [...second.drift].filter(([name]) => first.drift.has(name))
  if (lasting.length === 0 || dryRun) return { repaired: [], left: lasting.map(([, drift]) => drift) }
  const numbers = new Set(lasting.map(([, { subject }]) => Number(subject)))
  const { version, counts, offered } = second.held
  const results = second.results.filter(({ number }) => numbers.has(number))
  await gate.settle({ version, stock: counts.available, heldSeats: counts.held - offered, results })
  const third = await look(gate, db, eventId)
  const isLeft = (name: string): boolean => third?.drift.has(name) === true
  return {
    repaired: lasting.filter(([name]) => !isLeft(name)).map(([, drift]) => drift),
    left: lasting.filter(([name]) => isLeft(name)).map(([, drift]) => drift),
  }
}

interface Look {
  readonly held: SeatsOfTickets
  readonly results: Settlement['results']
  /** By ticket and the two values: another difference of the same ticket is a new one. */
  readonly drift: ReadonlyMap<string, Drift>
}

async function look(gate: Gate, db: Ledger['db'], eventId: string): Promise<Look | null> {
  const held = await readTicketSeats(db, eventId, FLOOR_MAX)
  if (held === null) return null
  const floor = await gate.floor(FLOOR_MAX)
  const results = differences(held, floor)
  const believed = new Map(floor.map(({ number, reservedSeats }) => [number, reservedSeats]))
  const drift = results.map(({ number, reserved }): [string, Drift] => {
    const details = { line: believed.get(number) ?? 0, ledger: reserved?.quantity ?? 0 }
    return [`${number} ${details.line} ${details.ledger}`, { kind: 'gate', subject: String(number), details }]
  })
  return { held, results, drift: new Map(drift) }
}
