import { hash } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { fairness, fixLogHost, type RoomRow } from '@seatwise/ledger'
import { eachAlone, RecentMap } from '../../kit/index.ts'
import type { Rooms } from '../room.ts'
import type { RoomServices } from '../room-services.ts'
import { hostOf, originOf, writeCheckpoint } from '../transparency/checkpoint.ts'
import { type SaleFigures, SaleStudy } from './sale-study.ts'

/** The most sales that one server counts at a time; others are counted from the beginning when they are asked for. */
const STUDIES_MAX = 20
/** A result is kept for this time, and for as many times as long as it took: so a tenth of the time goes into one sale at most. */
const FRESH_MS = 1_000
const REST_FACTOR = 10
/** Final reports that one round makes. */
const DUE_MAX = 10

/** How fair a sale was. */
export interface SaleReport extends SaleFigures {
  /** Whether the sale is over and its last ticket has ended: such a report never changes. */
  readonly final: boolean
  /** Only of a final report: the exact text of the figures, and a signed note over its SHA-256. */
  readonly signed: { readonly text: string; readonly kid: string; readonly note: string } | null
}

export interface SaleReports {
  /** Null: not published yet. */
  readPublic(row: RoomRow): Promise<SaleReport | null>
  /** For the organization, at any time. */
  read(row: RoomRow): Promise<SaleReport>
  /** Makes and signs the final reports that are due. */
  finishDue(): Promise<void>
  /** Sales that are counted at the moment. */
  readonly studies: number
}

type Parts = Pick<RoomServices, 'ledger' | 'identity' | 'config' | 'log' | 'now'> & { readonly rooms: Rooms }

export function createSaleReports(parts: Parts): SaleReports {
  const { ledger, rooms, now } = parts
  const studies = new RecentMap<string, Watch>(STUDIES_MAX)

  function watchOf(room: string): Watch {
    const known = studies.get(room)
    if (known !== undefined) return known
    const made = new Watch(new SaleStudy(ledger, room), now)
    studies.set(room, made)
    return made
  }

  async function read({ id }: Pick<RoomRow, 'id'>): Promise<SaleReport> {
    const kept = await fairness.readReport(ledger.db, id)
    if (kept !== null) return told(kept)
    const isDue = await fairness.isReportDue(ledger.db, id)
    const { figures, isWhole } = await watchOf(id).read(isDue)
    if (!isDue || !isWhole) return { ...figures, final: false, signed: null }
    return told(await sign(parts, id, figures))
  }

  return {
    read,
    async readPublic(row) {
      const kept = await fairness.readReport(ledger.db, row.id)
      if (kept !== null) return told(kept)
      const { document } = await (await rooms.byId(row.id)).now()
      const isOver = document.phase === 'ended' || (document.phase === 'sold_out' && document.active === 0)
      return isOver ? await read(row) : null
    },
    async finishDue() {
      const due = await fairness.listUnreported(ledger.db, DUE_MAX)
      await eachAlone(
        due,
        async (id) => void (await read({ id })),
        (room, err) => parts.log.warn({ err, room }, 'a fairness report could not be made, trying again'),
      )
    },
    get studies() {
      return studies.size
    },
  }
}

function told({ text, kid, note }: fairness.FairnessReport): SaleReport {
  // This server, or an older one, wrote it.
  return { ...(JSON.parse(text) as SaleFigures), final: true, signed: { text, kid, note } }
}

/** Under the name of the room's log and `/fairness`, so that it is never taken for a head. */
async function sign({ ledger, identity, config }: Parts, room: string, figures: SaleFigures) {
  const text = JSON.stringify({ room, ...figures })
  const key = identity.keys.signer()
  const origin = `${originOf(await fixLogHost(ledger.db, room, hostOf(config)), room)}/fairness`
  const note = writeCheckpoint({ origin, size: figures.head.size, root: hash('sha256', text, 'buffer') }, key)
  return await fairness.keepReport(ledger.db, { roomId: room, text, kid: key.kid, note })
}

/** One sale that is counted: requests that arrive together share one reading. */
class Watch {
  readonly #study: SaleStudy
  readonly #now: () => number
  #freshUntil = Number.NEGATIVE_INFINITY
  #reading: Promise<Counted> | null = null
  #last: Counted | null = null

  constructor(study: SaleStudy, now: () => number) {
    this.#study = study
    this.#now = now
  }

  /** The last result while it is fresh; `anew`: a new one in any case. */
  async read(anew: boolean): Promise<Counted> {
    if (!anew && this.#last !== null && this.#now() < this.#freshUntil) return this.#last
    // What is being read may have begun before the last change.
    if (anew) await this.#reading?.catch(() => undefined)
    this.#reading ??= this.#count().finally(() => {
      this.#reading = null
    })
    return await this.#reading
  }

  async #count(): Promise<Counted> {
    const beganAt = this.#now()
    const counted = await this.#study.read()
    if (counted === null) throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 1 })
    const tookMs = this.#now() - beganAt
    this.#last = counted
    this.#freshUntil = this.#now() + Math.max(FRESH_MS, tookMs * REST_FACTOR)
    return counted
  }
}

interface Counted {
  readonly figures: SaleFigures
  readonly isWhole: boolean
}
