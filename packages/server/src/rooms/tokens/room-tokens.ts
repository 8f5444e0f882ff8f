import type { Ledger } from '@seatwise/ledger'
import type { Registry } from 'prom-client'
import type { SigningKeys } from '../../identity/index.ts'
import { measureBuffers } from '../../kit/index.ts'
import { type Challenges, createChallenges } from '../challenge/challenges.ts'
import { createRush, type Rush } from '../challenge/rush.ts'
import { createWaits, type Waits } from '../challenge/waits.ts'
import { createEventCodes, type EventCodes } from '../codes/find-event-code.ts'
import { createPublicStocks, type PublicStocks } from '../codes/public-stock.ts'
import { createDevices, type Devices } from '../devices/device-cookie.ts'
import { type CodeGuesses, createCodeGuesses } from '../handover/code-guesses.ts'
import { openInvitationHashes } from '../invitations/invitation-hashes.ts'
import { createEntries, type Entries } from '../invitations/judge-entry.ts'
import { createRefusalCounts, type RefusalCounts } from '../refusals/count-refusals.ts'
import { createGroupCodes, type GroupCodes } from './group-code.ts'
import { createHandoverCodes, type HandoverCodes } from './handover-code.ts'
import { createPasses, type Passes } from './pass.ts'
import { createTicketTokens, type TicketTokens } from './ticket-token.ts'
import { openVisitorIdentities, type VisitorIdentities } from './visitor-identity.ts'

/** More than for hand-over codes: friends behind one address may each type one. */
const GROUPS_OF_SENDER = { name: 'group code', perSecond: 0.2, burst: 30 }

/** Everything a room signs, hashes and verifies. */
export interface RoomTokens {
  readonly tickets: TicketTokens
  readonly passes: Passes
  readonly handovers: HandoverCodes
  readonly identities: VisitorIdentities
  /** Limits wrong hand-over codes. */
  readonly codeGuesses: CodeGuesses
  /** By which visitors stand together, and limits of wrong ones. */
  readonly groups: GroupCodes
  readonly groupGuesses: CodeGuesses
  /** Finds codes of events, and limits wrong ones. */
  readonly eventCodes: EventCodes
  /** Whether only hidden seats are left. */
  readonly publicStocks: PublicStocks
  /** What a join costs while others rush in. */
  readonly challenges: Challenges
  readonly rush: Rush
  readonly waits: Waits
  /** What browsers tell of the tickets that guests drew on them. */
  readonly devices: Devices
  readonly refusals: RefusalCounts
  /** Who may join rooms that are not open to all. */
  readonly entries: Entries
}

/** Requires the ledger's schema: reads the key of identities, and creates it when there is none. */
export async function openRoomTokens(
  ledger: Pick<Ledger, 'db'>,
  secrets: readonly Buffer[],
  keys: SigningKeys,
  now: () => number,
  workers = 1,
): Promise<RoomTokens> {
  const identities = await openVisitorIdentities(ledger)
  return {
    tickets: createTicketTokens(secrets),
    passes: createPasses(secrets, keys),
    handovers: createHandoverCodes(secrets),
    identities,
    codeGuesses: createCodeGuesses(now, workers),
    groups: createGroupCodes(secrets),
    groupGuesses: createCodeGuesses(now, workers, { ofSender: GROUPS_OF_SENDER, ofRoom: null }),
    eventCodes: createEventCodes(ledger, now, workers),
    publicStocks: createPublicStocks(ledger, now),
    challenges: createChallenges(secrets, now),
    rush: createRush(now, workers),
    waits: createWaits(secrets, identities, now),
    devices: createDevices(secrets),
    refusals: createRefusalCounts(ledger),
    entries: createEntries(ledger, await openInvitationHashes(ledger), now, workers),
  }
}

/** Exports the number of cached tokens and counted guesses in `/metrics`. */
export function measureRoomTokens(
  metrics: Registry,
  { tickets, passes, codeGuesses, groupGuesses, eventCodes, publicStocks, rush, refusals, entries }: RoomTokens,
): void {
  measureBuffers(metrics, {
    verified_tickets: () => tickets.size,
    issued_passes: () => passes.size,
    wrong_handover_codes: () => codeGuesses.size,
    wrong_group_codes: () => groupGuesses.size,
    wrong_event_codes: () => eventCodes.size,
    known_public_stocks: () => publicStocks.size,
    counted_joins: () => rush.size,
    wrong_invitations: () => entries.size,
    counted_refusals: () => refusals.size,
  })
}
