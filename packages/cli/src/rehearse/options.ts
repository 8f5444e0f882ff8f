import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions, UsedWrongly } from '../command.ts'
import type { ArrivalCurve } from './crowd/arrivals.ts'
import type { Crowd } from './crowd/temper.ts'

export interface RehearseOptions {
  readonly target: { readonly url: URL; readonly eventId: string } | null
  readonly visitors: number
  readonly seats: number
  readonly capacity: number
  readonly ratePerMinute: number
  readonly arrivals: ArrivalCurve
  /** How long people keep arriving. */
  readonly durationMs: number
  readonly timeoutMs: number
  readonly crowd: Crowd
  readonly seed: number
  readonly retriesMax: number
  readonly connectionsMax: number
  readonly reportDir: string
  readonly compareWith: string | null
}

const text = { type: 'string' } as const
const VISITORS_MAX = 1_000_000
const SEEDS = 2 ** 31
const CONNECTIONS_MAX = 20_000

export function readRehearseOptions(args: readonly string[], now: Date): RehearseOptions {
  const given = readOptions(args, {
    ...{ url: text, event: text, visitors: text, seats: text, arrivals: text, duration: text, timeout: text },
    ...{ churn: text, 'slow-payers': text, tabs: text, bots: text, think: text, patience: text, seed: text },
    ...{ retries: text, connections: text, capacity: text, rate: text, report: text, compare: text },
  })
  if (given.visitors === undefined) throw new UsedWrongly('Say how many come: --visitors N')
  const visitors = whole('visitors', given.visitors, { min: 1, max: VISITORS_MAX })
  const target = targetOf(given.url, given.event)
  if (target !== null && (given.seats ?? given.capacity ?? given.rate) !== undefined) {
    throw new UsedWrongly('--seats, --capacity and --rate are for a sale of its own, not for one that --url names')
  }
  const seats = whole('seats', given.seats ?? String(Math.max(1, Math.round(visitors / 10))), { min: 1, max: 500_000 })
  const capacity = whole('capacity', given.capacity ?? String(Math.min(500, Math.max(10, Math.ceil(seats / 10)))))
  const duration = decimal('duration', given.duration ?? '60', { min: 1, max: 86_400 })
  const seed = given.seed === undefined ? now.getTime() % SEEDS : whole('seed', given.seed, { min: 0, max: SEEDS - 1 })
  return {
    ...{ target, visitors, seats, capacity, seed },
    ratePerMinute: whole('rate', given.rate ?? String(Math.min(1_000_000, capacity * 30))),
    arrivals: curve(given.arrivals ?? 'spike'),
    durationMs: duration * 1_000,
    timeoutMs: decimal('timeout', given.timeout ?? String(duration + 900), { min: 1, max: 86_400 }) * 1_000,
    crowd: {
      churn: share('churn', given.churn ?? '0.2'),
      slowPayers: share('slow-payers', given['slow-payers'] ?? '0.1'),
      tabs: share('tabs', given.tabs ?? '0.05'),
      bots: share('bots', given.bots ?? '0.01'),
      thinkMs: decimal('think', given.think ?? '1', { min: 0, max: 3_600 }) * 1_000,
      patienceMs: decimal('patience', given.patience ?? String(duration), { min: 0.1, max: 86_400 }) * 1_000,
    },
    retriesMax: whole('retries', given.retries ?? '5', { min: 0, max: 1_000 }),
    connectionsMax: connections(given.connections ?? '1000', openFilesMax()),
    reportDir: given.report ?? join('rehearsals', now.toISOString().replaceAll(':', '-').slice(0, 19)),
    compareWith: reportToCompare(given.compare),
  }
}

/** For reports, the ledger and the rehearsal's own server. */
const OTHER_FILES = 200

/** Each connection is an open file, and a rehearsal that runs out of them would break off in the middle of the rush. */
export function connections(given: string, filesMax: number): number {
  const wanted = whole('connections', given, { min: 1, max: CONNECTIONS_MAX })
  if (wanted + OTHER_FILES <= filesMax) return wanted
  throw new UsedWrongly(
    `--connections ${wanted} needs ${wanted + OTHER_FILES} open files, and this process may have ${filesMax}: ` +
      'raise the limit with "ulimit -n", or ask for fewer',
  )
}

/** The system's limit for this process. */
function openFilesMax(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}

function targetOf(url: string | undefined, eventId: string | undefined): RehearseOptions['target'] {
  if (url === undefined && eventId === undefined) return null
  if (url === undefined || eventId === undefined) throw new UsedWrongly('--url and --event belong together')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsedWrongly(`--url takes an address such as http://127.0.0.1:3000, not ${JSON.stringify(url)}`)
  }
  return { url: new URL(url), eventId }
}

function curve(given: string): ArrivalCurve {
  if (given === 'spike' || given === 'ramp' || given === 'steady') return given
  if (existsSync(given)) return { file: given }
  throw new UsedWrongly(`--arrivals takes spike, ramp, steady or a file; there is no file ${given}`)
}

function reportToCompare(given: string | undefined): string | null {
  if (given === undefined) return null
  const file = given.endsWith('.json') ? given : join(given, 'report.json')
  if (!existsSync(file)) throw new UsedWrongly(`--compare takes a report.json; there is none at ${file}`)
  return file
}

interface Range {
  readonly min: number
  readonly max: number
}

function whole(name: string, given: string, range: Range = { min: 1, max: 1_000_000 }): number {
  const value = decimal(name, given, range)
  if (!Number.isInteger(value)) throw new UsedWrongly(`--${name} takes a whole number, not ${given}`)
  return value
}

function share(name: string, given: string): number {
  return decimal(name, given, { min: 0, max: 1 })
}

function decimal(name: string, given: string, { min, max }: Range): number {
  const value = Number(given)
  if (given.trim() === '' || Number.isNaN(value) || value < min || value > max) {
    throw new UsedWrongly(`--${name} takes a number from ${min} to ${max}, not ${JSON.stringify(given)}`)
  }
  return value
}
