import { type Primary, plainArray, prepareStatement, runPrepared, textArray } from '../../engine/index.ts'
import type { Claim } from './claim.ts'

const FIND_KNOWN_CLAIMS = prepareStatement(import.meta.url, 'find-known-claims.sql')

/** A claim as far as it says whose it is and under which key. */
export interface AskedClaim extends Pick<Claim, 'roomId' | 'ticketNumber'> {
  readonly operation: Pick<Claim['operation'], 'actorId' | 'key'>
}

/**
 * Whether each of these claims may have had an effect already, on whatever server: then only the ledger can say how it is
 * to be answered (I32). To be asked of the primary; a replica may not have heard of it yet.
 */
export async function findKnownClaims(
  ledger: Pick<Primary, 'pool'>,
  claims: readonly AskedClaim[],
): Promise<boolean[]> {
  const rows = await runPrepared<{ place: number }>(ledger, FIND_KNOWN_CLAIMS, [
    plainArray(claims, ({ operation }) => operation.actorId),
    textArray(claims, ({ operation }) => operation.key),
    plainArray(claims, ({ roomId }) => roomId),
    plainArray(claims, ({ ticketNumber }) => ticketNumber),
  ])
  const known = new Set(rows.map(({ place }) => place))
  return claims.map((_, index) => known.has(index + 1))
}
