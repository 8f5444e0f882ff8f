import { readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { connectedPrograms, type Ledger, newestMigration, runStatement } from '@seatwise/ledger'
import type { RedisConnection } from '@seatwise/line'
import type { Config } from '../../config/index.ts'
import { isLoopback } from '../../kit/index.ts'
import { bad, type Finding, good, weak } from './finding.ts'

/** A claim asks the ledger twice and Redis twice: from here on a reservation takes as long as people notice. */
const FAR_MS = 10
const ROUNDS = 5
const PROBE_MS_MAX = 3_000
/** Kinds of file systems, as statfs(2) calls them: tmpfs, ramfs, overlay; NFS, CIFS. */
const FILE_SYSTEMS: Readonly<Record<number, 'fleeting' | 'shared'>> = {
  16914836: 'fleeting',
  2240043254: 'fleeting',
  26985: 'shared',
  4283649346: 'shared',
}
const SAYS = { fleeting: 'folderFleeting', shared: 'folderShared' } as const
const FREE_BYTES_MIN = 1_024 ** 3

/** What lies between this program and its stores, and around both; asks them, and changes nothing. */
export async function judgeLedgerPath(ledger: Ledger, config: Config): Promise<Finding[]> {
  if (config.databaseUrl === null) return []
  const facts = await readPath(ledger)
  const older = (await connectedPrograms(ledger.db)).filter((schema) => schema < newestMigration())
  return [
    facts.lock_timeout === '5s' && facts.timezone === 'UTC'
      ? good('ledger pooler', 'sessions keep their settings')
      : bad('ledger pooler', 'ledgerPooler'),
    judgeArchive(facts),
    older.length > 0
      ? weak('ledger programs', 'ledgerOlder', { schemas: older.join(', '), known: String(newestMigration()) })
      : good('ledger programs', 'none that is older'),
    judgeDistance('ledger distance', await measure(() => ledger.ping())),
  ]
}

export async function judgeRedisPath(redis: RedisConnection): Promise<Finding[]> {
  return [judgeDistance('redis distance', await measure(() => redis.ping()))]
}

interface PathFacts {
  readonly lock_timeout: string
  readonly timezone: string
  readonly archive_mode: string
  /** The last attempt to archive a part of the log failed. */
  readonly archive_fails: boolean
}

/** What this very connection has: a pooler that hands sessions around forgets what was set when it was made. */
async function readPath(ledger: Ledger): Promise<PathFacts> {
  const sql = `select current_setting('lock_timeout') as lock_timeout, current_setting('timezone') as timezone,
                      current_setting('archive_mode') as archive_mode,
                      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as archive_fails
                 from pg_stat_archiver`
  const [facts] = await runStatement<PathFacts>(ledger.db, { name: 'doctor-path', sql }, [])
  return facts ?? { lock_timeout: '', timezone: '', archive_mode: 'off', archive_fails: false }
}

/** A log that cannot be archived is kept, until the disk is full. */
function judgeArchive({ archive_mode, archive_fails }: PathFacts): Finding {
  const what = 'ledger archive'
  if (archive_mode === 'off') return weak(what, 'ledgerArchive')
  return archive_fails ? weak(what, 'ledgerArchiveFails') : good(what, archive_mode)
}

/** The median: the first question may have to connect. */
async function measure(ask: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now()
    await ask()
    tookMs.push(performance.now() - begun)
  }
  return tookMs.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0
}

function judgeDistance(what: 'ledger distance' | 'redis distance', tookMs: number): Finding {
  const said = `${tookMs.toFixed(1)} ms`
  return tookMs < FAR_MS ? good(what, said) : weak(what, 'storeFar', { took: said })
}

/** The data folder of an embedded deployment holds everything: secrets, personal data and what was sold. */
export async function judgeFolder(config: Config): Promise<Finding[]> {
  const { dataDir, databaseUrl } = config
  const found = databaseUrl === null ? await stat(dataDir).catch(() => null) : null
  if (found === null) return []
  const what = 'data folder'
  const findings: Finding[] = []
  if ((found.mode & 0o077) !== 0) findings.push(bad(what, 'folderOpen', { folder: dataDir }))
  if (await isUnfinishedMove(dataDir)) findings.push(bad(what, 'folderMoving', { folder: dataDir }))
  const disk = await statfs(dataDir)
  const kind = FILE_SYSTEMS[disk.type]
  if (kind !== undefined) findings.push(weak(what, SAYS[kind], { folder: dataDir }))
  const freeBytes = disk.bavail * disk.bsize
  const free = `${Math.floor(freeBytes / 1_024 ** 2)} MB`
  if (freeBytes < FREE_BYTES_MIN) findings.push(weak(what, 'folderFull', { free }))
  return findings.length > 0 ? findings : [good(what, `this user's only; ${free} free`)]
}

async function isUnfinishedMove(dataDir: string): Promise<boolean> {
  const text = await readFile(join(dataDir, 'moved.json'), 'utf8').catch(() => null)
  return text !== null && (JSON.parse(text) as { finishedAt: string | null }).finishedAt === null
}

/** Asks the collector as the exporter does, with nothing in it. */
export async function judgeTraces({ traces }: Config): Promise<Finding[]> {
  if (traces === null) return []
  const what = 'traces'
  const findings: Finding[] = []
  const { hostname, protocol } = new URL(traces.url)
  if (traces.share > 0.5) findings.push(weak(what, 'tracesAll', { share: String(traces.share) }))
  const hasKey = Object.keys(traces.headers).length > 0
  if (hasKey && protocol === 'http:' && !isLoopback(hostname)) findings.push(bad(what, 'tracesPlain'))
  const problem = await probe(`${traces.url}/v1/traces`, traces.headers)
  if (problem !== null) findings.push(weak(what, 'tracesAway', { problem }))
  return findings.length > 0 ? findings : [good(what, `${hostname} takes them`)]
}

async function probe(url: string, headers: Readonly<Record<string, string>>): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(PROBE_MS_MAX),
    })
    await answer.arrayBuffer()
    return answer.ok ? null : `it answers ${answer.status}`
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'it does not answer' : 'it cannot be reached'
  }
}
