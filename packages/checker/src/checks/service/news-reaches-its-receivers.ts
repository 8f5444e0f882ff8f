import { type Check, type CheckRun, Findings, getOrMake } from '../../check.ts'
import type { ClientRecord, HistoryRecord, LedgerRecord } from '../../records/records.ts'

type News = Extract<LedgerRecord, { kind: 'news' }>
type Delivery = Extract<LedgerRecord, { kind: 'delivery' }>

/** News is deleted after weeks; younger news must be there. */
const KEPT_MS = 25 * 86_400_000

/**
 * I23. Every committed change is delivered at least once, in order for each reservation. Every change of a hold has its news;
 * news is handed out in order; a receiver gets the news of one reservation in that order, and nothing is marked as delivered
 * that was never sent. Receivers with records of their own (action `news`) must have received what is marked as delivered.
 */
export const newsReachesItsReceivers: Check = {
  id: 'I23',
  name: 'what was committed is told at least once, in order for each reservation',
  start(): CheckRun {
    const findings = new Findings('news', 'deliveries', 'set aside', 'still to be told', 'heard by receivers')
    const news = new Map<string, News>()
    const changes: Change[] = []
    const deliveries: Delivery[] = []
    const heard: ClientRecord[] = []
    let lastMs = 0
    return {
      see(record: HistoryRecord) {
        if (record.record === 'client' && record.action === 'news' && record.phase === 'ok') heard.push(record)
        if (record.record !== 'ledger') return
        lastMs = Math.max(lastMs, record.atMs)
        if (record.kind === 'news') {
          findings.count('news')
          news.set(record.news, record)
        } else if (record.kind === 'delivery') deliveries.push(record)
        else if (isChange(record)) changes.push(record)
      },
      finish() {
        if (news.size > 0) judgeChanges(findings, news, changes, lastMs)
        judgeHandingOut(findings, news, deliveries)
        judgeDeliveries(findings, news, deliveries)
        judgeHearing(findings, deliveries, heard)
        return findings.verdict('news')
      },
    }
  },
}

/** The news that each change of a hold must have made. */
const NEWS_OF = {
  hold: 'reservation.created',
  release: 'reservation.canceled',
  expire: 'reservation.expired',
  sell: 'purchase.paid',
  refund: 'purchase.refunded',
} as const
type Change = Extract<LedgerRecord, { kind: keyof typeof NEWS_OF }>

function isChange(record: LedgerRecord): record is Change {
  return Object.hasOwn(NEWS_OF, record.kind)
}

function judgeChanges(findings: Findings, news: ReadonlyMap<string, News>, changes: readonly Change[], lastMs: number) {
  const told = new Set([...news.values()].map(({ hold, type }) => `${hold} ${type}`))
  for (const change of changes) {
    if (change.atMs < lastMs - KEPT_MS || told.has(`${change.hold} ${NEWS_OF[change.kind]}`)) continue
    findings.violate(`The ${change.kind} of hold ${change.hold} has no news`, change)
  }
}

/**
 * In order: of one reservation, no news that is still to be handed out comes before news with a delivery. News without a
 * receiver counts as handed out from the start, and says nothing about the order.
 */
function judgeHandingOut(findings: Findings, news: ReadonlyMap<string, News>, deliveries: readonly Delivery[]): void {
  const lastOf = new Map<string, News>()
  for (const { news: id } of deliveries) {
    const told = news.get(id)
    if (told !== undefined && told.position > (lastOf.get(told.hold)?.position ?? 0)) lastOf.set(told.hold, told)
  }
  for (const each of news.values()) {
    if (each.handed) continue
    findings.count('still to be told')
    const later = lastOf.get(each.hold)
    if (later !== undefined && later.position > each.position) {
      findings.violate(`News ${each.news} was passed over`, each, later)
    }
  }
}

function judgeDeliveries(findings: Findings, news: ReadonlyMap<string, News>, deliveries: readonly Delivery[]): void {
  const rows = new Map<string, { position: number; delivery: Delivery }[]>()
  for (const delivery of deliveries) {
    const of = news.get(delivery.news)
    if (delivery.setAside) findings.count('set aside')
    else if (delivery.deliveredAtMs === null) findings.count('still to be told')
    else findings.count('deliveries')
    if (delivery.deliveredAtMs !== null && delivery.attempts === 0) {
      findings.violate(`News ${delivery.news} is marked as delivered, but was never sent`, delivery)
    }
    if (of === undefined) continue
    const row = getOrMake(rows, `${of.hold} ${delivery.receiver}`, () => [])
    row.push({ position: of.position, delivery })
  }
  for (const row of rows.values()) judgeOrder(findings, row)
}

function judgeOrder(findings: Findings, row: { position: number; delivery: Delivery }[]): void {
  row.sort((a, b) => a.position - b.position)
  let earlier: Delivery | undefined
  for (const { delivery } of row) {
    if (delivery.setAside) continue
    const before = earlier?.deliveredAtMs
    if (earlier !== undefined && delivery.deliveredAtMs !== null && (before ?? Infinity) > delivery.deliveredAtMs) {
      findings.violate(`${delivery.receiver} heard ${delivery.news} before ${earlier.news}`, earlier, delivery)
    }
    earlier = delivery
  }
}

function judgeHearing(findings: Findings, deliveries: readonly Delivery[], heard: readonly ClientRecord[]): void {
  const listeners = new Set(heard.map(({ client }) => client))
  const known = new Set(heard.map(({ client, effect }) => `${client} ${effect}`))
  for (const delivery of deliveries) {
    if (delivery.deliveredAtMs === null || !listeners.has(delivery.receiver)) continue
    if (known.has(`${delivery.receiver} ${delivery.news}`)) findings.count('heard by receivers')
    else findings.violate(`${delivery.receiver} never heard ${delivery.news}, which is marked as delivered`, delivery)
  }
}
