/** What a large sale takes, from what was measured. Linear, and therefore an estimate: `rehearse` finds out. */
export interface Sale {
  readonly visitors: number
  readonly seats: number
  readonly seatsPerOrder: number
  /** From the first visitor to the last. */
  readonly arrivalMinutes: number
  /** How long a buyer is inside. */
  readonly stayMinutes: number
  readonly ratePerMinute: number
}

export interface Size {
  readonly joinsPerSecond: number
  readonly processes: number
  readonly redisMegabytes: number
  readonly capacity: number
  readonly reservationsPerSecond: number
  /** Of what one primary took in the measurement. */
  readonly ledgerShare: number
  readonly soldOutMinutes: number
  readonly cdnRequestsPerSecond: number
}

export type Figures = Readonly<Record<string, number>>

/** Of what was measured: a server that is full has nothing left for a rush. */
const LOAD_PLANNED = 0.5
/** As in `rehearse --curve spike`: seven of ten visitors come in the first tenth of the time. */
const SPIKE = 7
/** How often a waiting visitor reads the public document, which caches serve. */
const DOCUMENT_SECONDS = 10

export const CELLS = {
  joins: 'Core; joins/s, 100 connections; median',
  waiting: 'Core; visitors who wait, for each core, 100 connections; median',
  visits: 'Core; whole visits/s, 100 connections; median',
  reservations: 'Core; reservations/s, 100 connections; median',
  bytes: 'Line; Redis bytes for each of 100,000; figure',
} as const

export function sizeSale(sale: Sale, figures: Figures): Size {
  const of = (cell: keyof typeof CELLS): number => {
    const figure = figures[CELLS[cell]]
    if (figure === undefined) throw new Error(`There is no figure for ${CELLS[cell]}`)
    return figure
  }
  const joinsPerSecond = (SPIKE * sale.visitors) / (sale.arrivalMinutes * 60)
  const buyersPerSecond = sale.ratePerMinute / 60
  const load = joinsPerSecond / of('joins') + sale.visitors / of('waiting') + buyersPerSecond / of('visits')
  const orders = sale.seats / sale.seatsPerOrder
  return {
    joinsPerSecond,
    processes: Math.max(2, Math.ceil(load / LOAD_PLANNED)),
    redisMegabytes: (sale.visitors * of('bytes')) / 1e6,
    capacity: Math.ceil(sale.ratePerMinute * sale.stayMinutes),
    reservationsPerSecond: buyersPerSecond,
    ledgerShare: buyersPerSecond / of('reservations'),
    soldOutMinutes: Math.max(1, orders / sale.ratePerMinute),
    cdnRequestsPerSecond: sale.visitors / DOCUMENT_SECONDS,
  }
}
