import { type Primary, prepareStatement, runPrepared } from '../../engine/index.ts'
import type { Claim } from './claim.ts'

const FIND_KNOWN_CLAIMS = prepareStatement(import.meta.url, 'find-known-claims.sql')

/** The part of a claim that names its ticket, its caller and its key. */
export interface AskedClaim extends Pick<Claim, 'roomId' | 'ticketNumber'> {
  readonly operation: Pick<Claim['operation'], 'actorId' | 'key'>
}

/**
 * Whether each of these claims may have had an effect already, on any server: then only the ledger knows its answer
 * (I32). Ask the primary; a replica may be behind.
 */
export async function findKnownClaims(
  ledger: Pick<Primary, 'pool'>,
  claims: readonly AskedClaim[],
): Promise<boolean[]> {
  const rows = await runPrepared<{ place: number }>(ledger, FIND_KNOWN_CLAIMS, [
    claims.map(({ operation }) => operation.actorId),
    claims.map(({ operation }) => operation.key),
    claims.map(({ roomId }) => roomId),
    claims.map(({ ticketNumber }) => ticketNumber),
  ])
  const known = new Set(rows.map(({ place }) => place))
  return claims.map((_, index) => known.has(index + 1))
}
