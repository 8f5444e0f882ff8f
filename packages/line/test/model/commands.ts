import type { RoomSettings } from '@seatwise/domain'
import fc from 'fast-check'
import type { EndRequest, RoomChange, TicketClass } from '../../src/index.ts'

/*
 * What can happen to a room, as plain data. Tickets are named by an index into all that were ever drawn, visitors by a
 * small number, times by an offset: the runner makes requests of them. `lost` means that the reply was lost, so the
 * caller repeats the same operation.
 */
export type Command = TicketCommand | RoomCommand

/** What visitors do. */
export type TicketCommand = { lost: boolean } & (
  | { kind: 'join'; visitors: Visitor[] }
  | { kind: 'look'; questions: (Named & { heartbeat: boolean })[] }
  | { kind: 'heartbeat'; tickets: number[] }
  | { kind: 'enter'; acts: Named[] }
  | { kind: 'end'; acts: (Named & { as: EndRequest['as'] })[] }
  | { kind: 'extend'; acts: (Named & { byMs: number })[] }
  | { kind: 'move'; acts: Named[] }
  /** Guests sign in to accounts; both are visitors. */
  | { kind: 'adopt'; adoptions: { from: number; to: number }[] }
  | { kind: 'restore'; restores: { ticket: number; fromEpoch: number; strange: boolean }[] }
)

/** What concerns the room as a whole. */
export type RoomCommand = { lost: boolean } /** With `operatorCount`, an operator lets so many in past the rate. */ & (
  | { kind: 'admit'; batch: number; operatorCount?: number | undefined }
  | { kind: 'sweep'; batch: number }
  | { kind: 'change'; change: Partial<RoomChange> }
  | { kind: 'window'; opensIn: number; closesIn: number }
  /** Claims at the gate; `settle` names them by how many came after. */
  | { kind: 'take'; takes: { ticket: number; quantity: number; olderFence: boolean }[] }
  | { kind: 'settle'; newer: number; stock: number; heldSeats: number; results: SettledTake[] }
  | { kind: 'advance'; ms: number }
  /** Time passes while servers take heartbeats. */
  | { kind: 'attend'; ms: number }
  | { kind: 'trim'; behind: number }
  | { kind: 'load'; losing: number; gap: number }
  /** A caller repeats an earlier operation of this epoch, long after its first reply. */
  | { kind: 'repeat'; step: number }
)

export interface SettledTake {
  ticket: number
  /** Whether it is the last claim of this ticket, or none. */
  isClaim: boolean
  /** Undefined: as before; 0: lost. */
  quantity: number | undefined
  untilMs: number
}

export interface Visitor {
  visitor: number
  class: TicketClass
  /** 0 is none. */
  code: number
  limited: boolean
  shown: boolean
}

/** A ticket and who speaks for it: mostly its holder, sometimes a thief or an older device. */
export interface Named {
  ticket: number
  isThief: boolean
  olderBy: number
}

const ticket = fc.nat(40)
const named = {
  ticket,
  isThief: mostly(false, true),
  olderBy: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
}
const ticketClass = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0 as const) },
  { weight: 3, arbitrary: fc.constantFrom(1 as const, 2 as const, 3 as const) },
)
const visitor = fc.record({
  visitor: fc.nat(12),
  class: ticketClass,
  code: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) }),
  limited: mostly(false, true),
  shown: fc.boolean(),
})
const settings: fc.Arbitrary<Partial<RoomSettings>> = fc.oneof(
  fc.record({ capacity: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ ratePerMinute: fc.constantFrom(1, 7, 60, 6_000), burst: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ burst: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ priorityMode: fc.constantFrom('skip' as const, 'lanes' as const) }),
  fc.record({ claimSeconds: fc.constantFrom(0, 1, 30), sessionSeconds: fc.constantFrom(1, 60) }),
  fc.record({ heartbeatTimeoutSeconds: fc.constantFrom(1, 20), graceSeconds: fc.constantFrom(0, 1, 15) }),
  fc.record({ awaySeconds: fc.constantFrom(1, 10, 60) }),
  fc.record({ maxWaiting: fc.constantFrom(1, 5, 1_000) }),
  fc.record({ reservationSeconds: fc.constantFrom(1, 5, 30) }),
  fc.record({ stockAware: fc.boolean(), keepLineWhenSoldOut: fc.boolean() }),
)
const change: fc.Arbitrary<Partial<RoomChange>> = fc.oneof(
  { weight: 6, arbitrary: settings.map((given) => ({ settings: given })) },
  { weight: 1, arbitrary: fc.record({ paused: mostly(false, true) }) },
  { weight: 1, arbitrary: fc.record({ held: mostly<string | null>(null, 'the ledger is away') }) },
  { weight: 1, arbitrary: fc.record({ message: fc.constantFrom(null, 'Hello\t"you"\n') }) },
)
const ms = fc.oneof(
  fc.constantFrom(1, 99, 100, 101, 999, 1_000, 15_000, 15_001, 20_000, 30_000, 60_000),
  fc.nat(40_000),
)

const command = fc.oneof(
  many(8, { kind: fc.constant('join' as const), visitors: some(visitor) }),
  many(4, { kind: fc.constant('look' as const), questions: some(fc.record({ ...named, heartbeat: fc.boolean() })) }),
  many(3, { kind: fc.constant('heartbeat' as const), tickets: some(ticket, 8) }),
  many(8, {
    kind: fc.constant('admit' as const),
    batch: fc.integer({ min: 1, max: 8 }),
    operatorCount: mostly<number | undefined>(undefined, 1, 2, 3, 20),
  }),
  many(6, { kind: fc.constant('sweep' as const), batch: fc.integer({ min: 0, max: 8 }) }),
  many(4, { kind: fc.constant('enter' as const), acts: some(fc.record(named)) }),
  many(4, { kind: fc.constant('end' as const), acts: some(fc.record({ ...named, as: endings() })) }),
  many(2, { kind: fc.constant('extend' as const), acts: some(fc.record({ ...named, byMs: fc.nat(60_000) })) }),
  many(2, { kind: fc.constant('move' as const), acts: some(fc.record(named)) }),
  many(2, {
    kind: fc.constant('adopt' as const),
    adoptions: some(fc.record({ from: fc.nat(12), to: fc.nat(12) })),
  }),
  many(2, {
    kind: fc.constant('restore' as const),
    restores: some(fc.record({ ticket, fromEpoch: fc.nat(5), strange: mostly(false, true) })),
  }),
  many(4, { kind: fc.constant('change' as const), change }),
  many(1, { kind: fc.constant('window' as const), opensIn: offset(-5_000), closesIn: offset(600_000) }),
  many(4, {
    kind: fc.constant('take' as const),
    takes: some(fc.record({ ticket, quantity: mostly(1, 0, 2, 3, 5), olderFence: mostly(false, true) })),
  }),
  many(4, {
    kind: fc.constant('settle' as const),
    newer: mostly(1, 0, -1, 2),
    stock: fc.constantFrom(0, 1, 2, 3, 5, 9),
    heldSeats: fc.nat(2),
    results: fc.array(
      fc.record({
        ticket,
        isClaim: mostly(true, false),
        quantity: fc.constantFrom(undefined, 0, 1, 2, 4),
        untilMs: fc.nat(90_000),
      }),
      { maxLength: 4 },
    ),
  }),
  many(6, { kind: fc.constant('advance' as const), ms }),
  many(6, { kind: fc.constant('attend' as const), ms }),
  many(2, { kind: fc.constant('trim' as const), behind: fc.nat(8) }),
  many(3, { kind: fc.constant('repeat' as const), step: fc.nat(5) }),
  many(1, { kind: fc.constant('load' as const), losing: fc.nat(4), gap: fc.nat(5) }),
)

/** A whole history. */
export const histories: fc.Arbitrary<Command[]> = fc.array(command, { minLength: 1, maxLength: 70, size: 'max' })

/** A command with its weight. Its reply is lost now and then. */
function many<Fields extends object>(weight: number, fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> }) {
  const command = fc.record<Fields>(fields)
  return {
    weight,
    arbitrary: fc
      .tuple(command, mostly(false, true))
      .map(([rest, lost]): Fields & { lost: boolean } => ({ ...rest, lost })),
  }
}

function some<Item>(item: fc.Arbitrary<Item>, maxLength = 4): fc.Arbitrary<Item[]> {
  return fc.array(item, { minLength: 1, maxLength })
}

function mostly<Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
}

function endings(): fc.Arbitrary<EndRequest['as']> {
  return fc.constantFrom('completed', 'paid', 'cancelled', 'terminated', 'sold_out', 'timeout')
}

/** Mostly harmless, sometimes just ahead. */
function offset(usual: number): fc.Arbitrary<number> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.nat(10_000) })
}
