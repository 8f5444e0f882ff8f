import { type Rehearsal, readRehearsals, runStatement } from '@seatwise/ledger'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import { withDeadline } from '../../kit/index.ts'
import type { Room } from '../../rooms/index.ts'
import type { Finding } from '../doctor/finding.ts'
import { judgeMachine } from '../doctor/judge-machine.ts'
import { judgePostgres } from '../doctor/judge-postgres.ts'
import { judgeProvider } from '../doctor/judge-provider.ts'
import { judgeRedis } from '../doctor/judge-redis.ts'
import { judgeSettings } from '../doctor/judge-settings.ts'

export type Verdict = 'go' | 'caution' | 'no-go'

/** One check that should pass before a sale opens. The problem is a code, so that a page can say it in any language. */
export interface ReadinessCheck {
  readonly check: string
  readonly verdict: Verdict
  /** Null when the check passes. */
  readonly problem: string | null
  readonly facts: Readonly<Record<string, string | number | null>>
}

export interface Readiness {
  /** The worst of all checks. */
  readonly verdict: Verdict
  readonly checks: readonly ReadinessCheck[]
  /** The findings of `seatwise doctor` about the deployment that are not good. */
  readonly deployment: readonly Finding[]
}

/** A store that answers later than this counts as missing. */
const ANSWER_MS_MAX = 2_000
/** The same thresholds as the doctor's. */
const OFFSET_CAUTION_MS = 500
const OFFSET_BAD_MS = 5_000
/** An older rehearsal tested another version, or another machine. */
const REHEARSAL_AGE_MS_MAX = 14 * 86_400_000

export async function judgeReadiness(services: BoxOfficeServices, room: Room, eventId: string): Promise<Readiness> {
  const [stores, sale, [rehearsal], deployment] = await Promise.all([
    judgeStores(services, room),
    judgeSale(services, eventId),
    readRehearsals(services.ledger.db, eventId, 1),
    judgeDeployment(services),
  ])
  const { config, now } = services
  const checks: ReadinessCheck[] = [
    ...stores,
    ...sale,
    config.payments.provider === 'sandbox'
      ? caution('payments', 'sandbox')
      : go('payments', { provider: config.payments.provider }),
    config.smtpUrl === null ? caution('mail', 'none') : go('mail'),
    judgeRehearsal(rehearsal, now()),
  ]
  const worst = [...checks.map(({ verdict }) => verdict), ...deployment.map(({ verdict }) => AS_VERDICT[verdict])]
  return { verdict: worst.reduce(worse, 'go'), checks, deployment }
}

async function judgeStores({ ledger, redis, now }: BoxOfficeServices, room: Room): Promise<ReadinessCheck[]> {
  const askedAt = now()
  const clock = { name: 'ledger-clock', sql: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms' }
  const ledgerClock = await answerOf(runStatement<{ ms: number }>(ledger.db, clock, []))
  const ledgerMs = now() - askedAt
  const lineAskedAt = now()
  const line = await answerOf(room.now())
  const lineMs = now() - lineAskedAt
  const redisTime = redis === null ? null : await answerOf(redis.send(null, ['TIME']) as Promise<[string, string]>)
  const offsets = [
    ledgerClock === null ? 0 : (ledgerClock[0]?.ms ?? askedAt) - askedAt,
    redisTime === null ? 0 : Number(redisTime[0]) * 1_000 + Number(redisTime[1]) / 1_000 - now(),
  ]
  const offset = Math.max(...offsets.map(Math.abs))
  const facts = { offsetMs: Math.max(0, Math.round(offset - ledgerMs)) }
  return [
    ledgerClock === null ? noGo('ledger', 'away') : go('ledger', { ms: ledgerMs, kind: ledger.kind }),
    line === null ? noGo('line', 'away') : go('line', { ms: lineMs, kind: redis?.kind ?? 'memory' }),
    facts.offsetMs < OFFSET_CAUTION_MS
      ? go('clocks', facts)
      : facts.offsetMs < OFFSET_BAD_MS
        ? caution('clocks', 'differ', facts)
        : noGo('clocks', 'differ', facts),
  ]
}

async function answerOf<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  // The store's own connection logs why it does not answer; here it only counts that it does not.
  return await withDeadline(answer, ANSWER_MS_MAX, 'a store').catch(() => null)
}

async function judgeSale({ ledger, now }: BoxOfficeServices, eventId: string): Promise<ReadinessCheck[]> {
  const sale = await ledger.db
    .selectFrom('events')
    .innerJoin('seat_maps', 'seat_maps.event_id', 'events.id')
    .innerJoin('rooms', 'rooms.event_id', 'events.id')
    .select(['sales_start_at', 'sales_end_at', 'available', 'rooms.settings', 'rooms.paused'])
    .where('events.id', '=', eventId)
    .executeTakeFirst()
  if (sale === undefined) return []
  const { available: seats, settings, paused } = sale
  const { capacity, ratePerMinute, sessionSeconds } = settings
  const startsAt = sale.sales_start_at.toISOString()
  const endsAt = sale.sales_end_at.toISOString()
  const opens = Math.max(sale.sales_start_at.getTime(), now())
  const windowMinutes = Math.floor((sale.sales_end_at.getTime() - opens) / 60_000)
  // If every visitor uses the whole session.
  const perMinute = Math.min(ratePerMinute, (capacity * 60) / sessionSeconds)
  const pace = { perMinute: Math.floor(perMinute), minutes: Math.ceil(seats / perMinute), windowMinutes }
  return [
    sale.sales_end_at.getTime() < now()
      ? noGo('window', 'over', { startsAt, endsAt })
      : go('window', { startsAt, endsAt }),
    seats === 0 ? noGo('stock', 'none') : go('stock', { seats }),
    capacity > seats ? caution('capacity', 'above_stock', { capacity, seats }) : go('capacity', { capacity, seats }),
    pace.minutes > windowMinutes ? caution('pace', 'too_slow', pace) : go('pace', pace),
    ...(paused ? [caution('paused', 'paused')] : []),
  ]
}

function judgeRehearsal(rehearsal: Rehearsal | undefined, nowMs: number): ReadinessCheck {
  if (rehearsal === undefined) return caution('rehearsal', 'none')
  const { visitors, sold, oversold } = rehearsal.report
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  const facts = {
    ...{ at: rehearsal.at.toISOString(), visitors: number(visitors), sold: number(sold), oversold: number(oversold) },
  }
  if (rehearsal.verdict === 'failed') return noGo('rehearsal', 'failed', facts)
  const isOld = nowMs - rehearsal.at.getTime() > REHEARSAL_AGE_MS_MAX
  return isOld ? caution('rehearsal', 'old', facts) : go('rehearsal', facts)
}

/** Clocks, payments and mail are judged above, in terms of the sale. */
async function judgeDeployment({ config, ledger, redis, now }: BoxOfficeServices): Promise<Finding[]> {
  const stores = [
    judgePostgres(ledger, config, now),
    judgeProvider(config),
    redis === null || config.redis === null ? Promise.resolve([]) : judgeRedis(redis, config.redis, now),
  ]
  const found = await Promise.all(stores.map(async (finding) => (await answerOf(finding)) ?? []))
  const findings = [...judgeSettings(config), ...judgeMachine(), ...found.flat()]
  return findings.filter(({ what, verdict }) => verdict !== 'good' && !/clock|payment|mail/.test(what))
}

type Facts = ReadinessCheck['facts']
const go = (check: string, facts: Facts = {}): ReadinessCheck => ({ check, verdict: 'go', problem: null, facts })
const caution = (check: string, problem: string, facts: Facts = {}): ReadinessCheck => {
  return { check, verdict: 'caution', problem, facts }
}
const noGo = (check: string, problem: string, facts: Facts = {}): ReadinessCheck => {
  return { check, verdict: 'no-go', problem, facts }
}

const AS_VERDICT = { good: 'go', weak: 'caution', bad: 'no-go' } as const satisfies Record<Finding['verdict'], Verdict>
const RANKS = ['go', 'caution', 'no-go'] as const satisfies readonly Verdict[]
const worse = (one: Verdict, other: Verdict): Verdict => (RANKS.indexOf(one) >= RANKS.indexOf(other) ? one : other)
