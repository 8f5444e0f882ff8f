import { readConfig } from '@seatwise/server'
import { explainFailure } from '../../explain-failure.ts'
import type { VerifiedRehearsal } from '../../report/rehearsal-report.ts'
import { withReader } from '../../verify/open-reader.ts'
import { verifyPublicLog } from '../../verify/verify-public-log.ts'
import { verifySale } from '../../verify/verify-sale.ts'
import type { Sale } from './sale.ts'

export interface RehearsalTraces {
  readonly url: URL
  readonly sale: Sale
  readonly recordsFile: string
  /** Null: whatever ledger the environment names. */
  readonly ledgerSettings: Readonly<Record<string, string>> | null
}

/** Judges the sale by its ledger if that can be reached, else by the public log. */
export async function verifyRehearsal(traces: RehearsalTraces): Promise<VerifiedRehearsal | null> {
  const { url, sale, recordsFile, ledgerSettings } = traces
  try {
    const config = ledgerSettings === null ? readConfig() : readConfig(ledgerSettings)
    const verified = await withReader(config, (read) => verifySale(read, sale.eventId, recordsFile))
    if (verified !== null) return { ...verified, from: 'ledger' }
  } catch (error) {
    // Its own ledger must be reachable; of a remote server often only the address is known.
    if (ledgerSettings !== null) throw error
    console.log(`The ledger cannot be read here (${explainFailure(error)}); going by the public log.`)
  }
  try {
    return { ...(await verifyPublicLog(url, sale, recordsFile)), seats: null, from: 'public log' }
  } catch (error) {
    console.error(`The public log could not be read either: ${explainFailure(error)}`)
    return null
  }
}
