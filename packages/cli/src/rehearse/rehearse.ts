import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createAccessTokens, readConfig } from '@seatwise/server'
import { UsedWrongly } from '../command.ts'
import { compareReports, formatComparison } from '../report/compare.ts'
import { formatSummary } from '../report/format-summary.ts'
import { rehearsalPage } from '../report/rehearsal-page.ts'
import { buildReport, type RehearsalReport } from '../report/rehearsal-report.ts'
import { type DrivenCrowd, driveCrowd } from './crowd/drive-crowd.ts'
import { LiveView } from './measure/live-view.ts'
import { watchRoom } from './measure/watch-room.ts'
import type { RehearseOptions } from './options.ts'
import { startOwnServer } from './sale/own-server.ts'
import { registerRehearsal } from './sale/register-rehearsal.ts'
import { findSale, type Sale } from './sale/sale.ts'
import { verifyRehearsal } from './sale/verify-rehearsal.ts'

/** Where a rehearsal takes place. */
interface Stage {
  readonly url: URL
  readonly sale: Sale
  readonly newToken: ((id: string, name: string) => string) | null
  /** Settings with which the ledger is found; null: those of the environment. */
  readonly ledgerSettings: Readonly<Record<string, string>> | null
  serverBytes(): number | null
  /** After the last visitor has finished, and before the ledger is read. */
  close(): Promise<void>
}

/** Rehearses a sale from the first arrival to the report. Resolves to the exit code. */
export async function rehearse(options: RehearseOptions): Promise<number> {
  const before = options.compareWith === null ? null : readReport(options.compareWith)
  mkdirSync(options.reportDir, { recursive: true })
  const stage = options.target === null ? await openOwnStage(options) : await findStage(options, options.target)
  const { url, sale } = stage
  const recordsFile = join(options.reportDir, 'records.jsonl')
  let driven: { crowd: DrivenCrowd; tookMs: number; isComplete: boolean }
  try {
    console.log(introduction(options, stage))
    driven = await drive(options, stage, recordsFile)
  } finally {
    await stage.close()
  }
  console.log('Verifying every invariant from log, ledger and what visitors were told …')
  const verified = await verifyRehearsal({ url, sale, recordsFile, ledgerSettings: stage.ledgerSettings })
  const { crowd, tookMs, isComplete } = driven
  const report = buildReport({ options, sale, url, measurements: crowd.measurements, tookMs, isComplete, verified })
  const comparison = before === null ? null : compareReports(before, report)
  writeFileSync(join(options.reportDir, 'report.json'), JSON.stringify(report, null, 1))
  writeFileSync(join(options.reportDir, 'report.html'), rehearsalPage(report, comparison))
  console.log(formatSummary(report))
  if (options.target !== null) await registerRehearsal(url, report, readConfig())
  if (comparison !== null) console.log(formatComparison(comparison))
  console.log(whereItIs(options, stage))
  return report.judgement.go ? 0 : 1
}

async function drive(options: RehearseOptions, stage: Stage, recordsFile: string) {
  const { url, sale, newToken } = stage
  const crowd = driveCrowd(options, { url, sale, newToken, recordsFile })
  const isTerminal = process.stdout.isTTY === true
  const write = (text: string): void => void process.stdout.write(text)
  const view = new LiveView(crowd, { visitors: options.visitors, seats: sale.seats, isTerminal, write })
  const { measurements } = crowd
  const stopWatching = watchRoom({
    ...{ url, sale, measurements, serverBytes: () => stage.serverBytes() },
    onLook: () => view.show(),
  })
  let isComplete = true
  const stop = (): void => {
    if (!isComplete) process.exit(130)
    isComplete = false
    crowd.stop()
  }
  const limit = setTimeout(stop, options.timeoutMs)
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    await crowd.done
  } finally {
    clearTimeout(limit)
    stopWatching()
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
  }
  return { crowd, tookMs: performance.now() - measurements.startedAtMs, isComplete }
}

async function openOwnStage(options: RehearseOptions): Promise<Stage> {
  const dataDir = resolve(options.reportDir, 'data')
  const server = await startOwnServer(dataDir)
  try {
    const sale = await server.openSale({ seats: options.seats, room: ownRoom(options) })
    const tokens = createAccessTokens([server.secret], Date.now)
    return {
      ...{ url: server.url, sale, ledgerSettings: { SEATWISE_DATA_DIR: dataDir } },
      newToken: (id, name) => tokens.issue({ id, role: 'buyer', name, avatar: null }).accessToken,
      serverBytes: server.residentBytes,
      close: () => server.stop(),
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** A sale in which a rehearsal shows within minutes what otherwise takes an evening. */
function ownRoom({ visitors, capacity, ratePerMinute, durationMs }: RehearseOptions): Record<string, unknown> {
  return {
    ...{
      capacity,
      ratePerMinute,
      burst: Math.max(1, Math.ceil(ratePerMinute / 120)),
      maxWaiting: Math.max(1_000, visitors * 2),
    },
    ...{
      claimSeconds: 15,
      sessionSeconds: 60,
      reservationSeconds: 30,
      heartbeatTimeoutSeconds: Math.min(90, Math.max(6, Math.round(durationMs / 1_000))),
      graceSeconds: 30,
    },
  }
}

async function findStage(options: RehearseOptions, target: { url: URL; eventId: string }): Promise<Stage> {
  const { secrets } = readConfig()
  const sale = await findSale(target.url, target.eventId)
  if (!sale.guests && secrets.length === 0) {
    throw new UsedWrongly('This room lets no guests in. Allow them, or set SEATWISE_SECRET to that of the server.')
  }
  const perAddress = Number(sale.settings.guestsPerAddress)
  if (secrets.length === 0 && perAddress > 0 && perAddress < options.visitors) {
    throw new UsedWrongly(
      `This room lets ${perAddress} guests of one address in, and ${options.visitors} are to come from here. Raise guestsPerAddress, or set SEATWISE_SECRET to that of the server.`,
    )
  }
  const tokens = secrets.length === 0 ? null : createAccessTokens(secrets, Date.now)
  return {
    ...{ url: target.url, sale, ledgerSettings: null },
    newToken:
      tokens === null ? null : (id, name) => tokens.issue({ id, role: 'buyer', name, avatar: null }).accessToken,
    serverBytes: () => null,
    close: async () => {},
  }
}

function readReport(file: string): RehearsalReport {
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof report !== 'object' || report === null || !('version' in report) || report.version !== 1) {
    throw new UsedWrongly(`${file} is not a report of a rehearsal`)
  }
  // We wrote it ourselves, and its version says which fields it has.
  return report as RehearsalReport
}

function introduction({ visitors, seed, durationMs, arrivals }: RehearseOptions, { url, sale }: Stage): string {
  const curve = typeof arrivals === 'object' ? `as in ${arrivals.file}` : arrivals
  return [
    `${visitors.toLocaleString('en')} visitors come to "${sale.name}" at ${url.origin} within ${durationMs / 1_000} s (${curve}, seed ${seed}),`,
    `which has ${sale.seats.toLocaleString('en')} seats. Ctrl-C ends it early and still writes the report.`,
  ].join('\n')
}

function whereItIs({ reportDir }: RehearseOptions, { sale, ledgerSettings }: Stage): string {
  const lines = [`Report        ${join(reportDir, 'report.html')}`, `Figures       ${join(reportDir, 'report.json')}`]
  const folder = ledgerSettings?.SEATWISE_DATA_DIR
  if (folder !== undefined) {
    const records = join(reportDir, 'records.jsonl')
    lines.push(`Data folder   ${folder}`)
    lines.push(`Verify again  SEATWISE_DATA_DIR=${folder} seatwise verify --event ${sale.eventId} --records ${records}`)
  }
  return lines.join('\n')
}
