import type { SigningKeys } from '../../keys/signing-keys.ts'
import { createHandoverCodes, type HandoverCodes } from './handover-code.ts'
import { createPasses, type Passes } from './pass.ts'
import { createTicketTokens, type TicketTokens } from './ticket-token.ts'
import { createVisitorIdentities, type VisitorIdentities } from './visitor-identity.ts'

/** Everything a room signs, hashes and checks. */
export interface RoomTokens {
  readonly tickets: TicketTokens
  readonly passes: Passes
  readonly handovers: HandoverCodes
  readonly identities: VisitorIdentities
}

export function createRoomTokens(secrets: readonly Buffer[], keys: SigningKeys): RoomTokens {
  const tickets = createTicketTokens(secrets)
  return {
    tickets,
    passes: createPasses(secrets, keys),
    handovers: createHandoverCodes(secrets, tickets),
    identities: createVisitorIdentities(secrets),
  }
}
