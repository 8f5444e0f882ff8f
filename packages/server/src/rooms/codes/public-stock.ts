import { isLedgerAway, type Ledger, type PublicStock, readPublicStock } from '@seatwise/ledger'
import { ReadCache } from '../../kit/index.ts'

/** As many events that hide seats as one server may sell at once. */
const EVENTS_MAX = 10_000

/** Whether an event that hides seats has anything left for visitors without an access code; at most a second old. */
export interface PublicStocks {
  isGone(eventId: string): Promise<boolean>
  readonly size: number
}

export function createPublicStocks({ db }: Pick<Ledger, 'db'>, now: () => number): PublicStocks {
  const stocks = new ReadCache<PublicStock>({
    load: async ({ keys }) => new Map((await readPublicStock(db, keys)).map((stock) => [stock.eventId, stock])),
    weigh: () => 1,
    weightMax: EVENTS_MAX,
    batchMax: 50,
    batchesAtOnce: 1,
    waitingMax: 1_000,
    now,
  })
  return {
    async isGone(eventId) {
      try {
        return (await stocks.read(eventId))?.isGone === true
      } catch (error) {
        // The line goes on without the ledger; the claim decides.
        if (isLedgerAway(error)) return false
        throw error
      }
    },
    get size() {
      return stocks.weight
    },
  }
}
