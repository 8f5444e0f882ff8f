import { type Signal, signal } from '@preact/signals'
import type { SaleData } from '../../../pages/console/data.ts'
import type { Drawn, Pulse, TrailEntry } from '../kit/answers.ts'
import { call } from '../kit/api.ts'
import { page } from '../kit/page.ts'

export const sale: SaleData = page as SaleData
/** Where this sale is in the API. */
export const base: string = `/api/${sale.kind === 'event' ? 'events' : 'rooms'}/${sale.id}`

export const pulse: Signal<Pulse | null> = signal(null)
export const charts: Signal<Drawn | null> = signal(null)
/** The clock of this page, once a second. */
export const nowMs: Signal<number> = signal(Date.now())
/** Since when there is no news. */
export const heardAtMs: Signal<number> = signal(Date.now())
/** When the room was changed, in seconds: charts mark it. */
export const changedAt: Signal<readonly number[]> = signal([])
/** Raised by everything that was done here, so that tables look again at once. */
export const acts: Signal<number> = signal(0)

const PULSE_MS = 2_000
/** The last points of the charts may still change. */
const OVERLAP_SECONDS = 12
/** As much as the server keeps in fine steps. */
const POINTS_MAX = 1_800

export type Range = 600 | 3_600 | 86_400
export const range: Signal<Range> = signal(600)

/** Polls while the page is visible; a page in the background does not. */
export function watchSale(): void {
  setInterval(() => {
    nowMs.value = Date.now()
  }, 1_000)
  const look = async (): Promise<void> => {
    if (!document.hidden) await refresh().catch(() => undefined)
    setTimeout(look, PULSE_MS)
  }
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) refresh().catch(() => undefined)
  })
  void look()
}

/** Reads everything anew; to be called after every act. */
async function refresh(): Promise<void> {
  pulse.value = await call<Pulse>('GET', `${base}/pulse`)
  heardAtMs.value = Date.now()
  await refreshChanges(pulse.value.lastAction?.id ?? 0)
  await refreshCharts()
}

let changesUpTo = -1
/** Read only when something was done since. */
async function refreshChanges(lastId: number): Promise<void> {
  if (lastId === changesUpTo) return
  const { items } = await call<{ items: TrailEntry[] }>('GET', `${base}/trail?limit=200`)
  changedAt.value = items.filter(({ kind }) => kind === 'room.changed').map(({ at }) => Date.parse(at) / 1_000)
  changesUpTo = lastId
}

export async function refreshCharts(): Promise<void> {
  const step = range.value === 86_400 ? 60 : 2
  const known = charts.value?.stepSeconds === step ? charts.value : null
  const last = known?.at.at(-1)
  const since = last === undefined ? '' : `&since=${new Date((last - OVERLAP_SECONDS) * 1_000).toISOString()}`
  const drawn = await call<Drawn>('GET', `${base}/charts?step=${step}${step === 60 ? '' : since}`)
  charts.value = known === null || step === 60 ? drawn : merge(known, drawn)
}

/** What was drawn anew replaces what was drawn before. */
function merge(known: Drawn, fresh: Drawn): Drawn {
  const first = fresh.at[0]
  if (first === undefined) return known
  const kept = known.at.findIndex((at) => at >= first)
  const end = kept === -1 ? known.at.length : kept
  const join = <Value>(before: readonly Value[], after: readonly Value[]): Value[] =>
    [...before.slice(0, end), ...after].slice(-POINTS_MAX)
  return {
    stepSeconds: fresh.stepSeconds,
    at: join(known.at, fresh.at),
    waiting: join(known.waiting, fresh.waiting),
    floor: join(known.floor, fresh.floor),
    admissionsPerSecond: join(known.admissionsPerSecond, fresh.admissionsPerSecond),
    arrivalsPerSecond: join(known.arrivalsPerSecond, fresh.arrivalsPerSecond),
    held: join(known.held, fresh.held),
    sold: join(known.sold, fresh.sold),
    estimateError: join(known.estimateError, fresh.estimateError),
    noShows: join(known.noShows, fresh.noShows),
    estimates: fresh.estimates,
  }
}

/** Does something, then looks at everything again. */
export async function act<Answer>(doing: Promise<Answer>): Promise<Answer> {
  const answer = await doing
  acts.value += 1
  await refresh().catch(() => undefined)
  return answer
}
