import fc from 'fast-check'

/*
 * What can happen between the floor and the ledger, as plain data. Tickets, claims under way and settlements are named
 * by an index into those that there are, so that every command means something.
 */
export type GateCommand =
  | { kind: 'join'; count: number }
  | { kind: 'admit' }
  /** A visitor on the floor claims seats; the server asks the gate. */
  | { kind: 'take'; ticket: number; quantity: number }
  /** A seller at the door, who has no ticket, asks for seats. */
  | { kind: 'door'; quantity: number }
  /** The server asks again, because the answer was lost. */
  | { kind: 'takeAgain'; claim: number }
  /** The ledger commits a claim, or refuses it because the very seats are gone; the settlement is on its way. */
  | { kind: 'commit'; claim: number }
  | { kind: 'refuse'; claim: number }
  /** The server dies before it could ask the ledger. */
  | { kind: 'die'; claim: number }
  /** A settlement arrives, in any order; or it arrives and the answer is lost, so that it comes once more. */
  | { kind: 'settle'; settlement: number; twice: boolean }
  /** A server that follows the ledger settles its counts. */
  | { kind: 'news' }
  /** A ticket is about to give its seats back; the ledger commits it later. */
  | { kind: 'giveBack'; ticket: number }
  | { kind: 'leave'; ticket: number }
  | { kind: 'pay'; ticket: number }
  | { kind: 'wait'; ms: number }

const index = fc.nat(20)

const command: fc.Arbitrary<GateCommand> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('join' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 5, arbitrary: fc.constant({ kind: 'admit' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      ticket: index,
      quantity: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('takeAgain' as const), claim: index }) },
  { weight: 7, arbitrary: fc.record({ kind: fc.constant('commit' as const), claim: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refuse' as const), claim: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), claim: index }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), settlement: index, twice: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'news' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('giveBack' as const), ticket: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), ticket: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay' as const), ticket: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(20_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('door' as const), quantity: fc.integer({ min: 1, max: 4 }) }),
  },
)

export interface GateHistory {
  seats: number
  capacity: number
  commands: GateCommand[]
}

export const gateHistories: fc.Arbitrary<GateHistory> = fc.record({
  seats: fc.integer({ min: 1, max: 10 }),
  capacity: fc.integer({ min: 1, max: 6 }),
  commands: fc.array(command, { minLength: 10, maxLength: 60, size: 'max' }),
})
