import { existsSync } from 'node:fs'
import { connectToRunningServer, LedgerLocked, neededSchemaVersion, schemaVersions } from '@seatwise/seats'
import { type Config, createLog, openConfiguredLedger, openConfiguredRedis, readConfig } from '@seatwise/server'
import { type Command, readOptions } from '../command.ts'
import { explainFailure } from '../explain-failure.ts'

/** What was looked at, and what was found; a bad finding also says what to do. */
interface Finding {
  readonly what: string
  readonly verdict: 'good' | 'bad'
  readonly says: string
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'judges the deployment',
  help: [
    'Looks at the settings, the ledger (reachable, locale, schema) and Redis (reachable, version, eviction) of this',
    'deployment and says what is wrong. Changes nothing. Exit code 1 when something is wrong.',
  ].join('\n'),
  async run(args) {
    readOptions(args, {})
    const config = readConfig()
    const findings: Finding[] = [{ what: 'settings', verdict: 'good', says: `${config.mode} mode` }]
    findings.push(...(await examineLedger(config)))
    findings.push(...(await examineRedis(config)))
    for (const { what, verdict, says } of findings) console.log(`${verdict.padEnd(5)} ${what.padEnd(16)} ${says}`)
    return findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0
  },
}

async function examineLedger(config: Config): Promise<Finding[]> {
  const what = 'ledger'
  if (config.databaseUrl === null && !existsSync(config.dataDir)) {
    return [{ what, verdict: 'good', says: `nothing in ${config.dataDir} yet; the first start makes it` }]
  }
  try {
    const ledger = await openConfiguredLedger(config)
    try {
      await ledger.ping()
      const findings: Finding[] = [
        { what, verdict: 'good', says: `${ledger.kind} answers, and its locale knows UTF-8` },
      ]
      if (ledger.replicaProblem !== undefined) {
        findings.push({ what: 'ledger replica', verdict: 'bad', says: ledger.replicaProblem })
      }
      return [...findings, judgeSchema(await schemaVersions(ledger))]
    } finally {
      await ledger.close()
    }
  } catch (error) {
    if (error instanceof LedgerLocked) return await examineRunningServer(error)
    return [{ what, verdict: 'bad', says: explainFailure(error) }]
  }
}

/** A running server has the folder for itself; what it knows of its ledger, it tells. */
async function examineRunningServer(locked: LedgerLocked): Promise<Finding[]> {
  const what = 'ledger'
  try {
    const server = await connectToRunningServer(locked.folder)
    if (server === undefined) return [{ what, verdict: 'bad', says: locked.message }]
    const { pid, version, schemaVersion, url } = server.status
    const says = `${locked.folder} is in use by the server ${url} (version ${version}, process ${pid})`
    return [
      { what, verdict: 'good', says },
      judgeSchema({ present: schemaVersion, needed: await neededSchemaVersion() }),
    ]
  } catch (error) {
    return [{ what, verdict: 'bad', says: explainFailure(error) }]
  }
}

function judgeSchema({ present, needed }: { present: number; needed: number }): Finding {
  const what = 'ledger schema'
  if (present === needed) return { what, verdict: 'good', says: `version ${present}` }
  if (present > needed) {
    return {
      what,
      verdict: 'bad',
      says: `version ${present} is newer than this program (${needed}): run the newer program`,
    }
  }
  return { what, verdict: 'bad', says: `version ${present}, needed is ${needed}: run "seatwise migrate"` }
}

async function examineRedis(config: Config): Promise<Finding[]> {
  const redis = await openConfiguredRedis(config, createLog({ ...config, logLevel: 'silent' }))
  if (redis === null) return []
  try {
    await redis.ping()
    return [
      { what: 'redis', verdict: 'good', says: `${redis.kind} answers` },
      judgeVersion(await redisInfo(redis, 'server', 'redis_version')),
      judgeEviction(await redisInfo(redis, 'memory', 'maxmemory_policy')),
    ]
  } catch (error) {
    return [{ what: 'redis', verdict: 'bad', says: explainFailure(error) }]
  } finally {
    await redis.close()
  }
}

type Redis = NonNullable<Awaited<ReturnType<typeof openConfiguredRedis>>>

/** INFO rather than CONFIG GET, because hosted Redis services forbid the latter. */
async function redisInfo(redis: Redis, section: string, field: string): Promise<string> {
  const text = String(await redis.send(null, ['INFO', section]))
  return new RegExp(`^${field}:(.*)$`, 'm').exec(text)?.[1]?.trim() ?? 'unknown'
}

function judgeVersion(version: string): Finding {
  const isRecent = Number.parseInt(version, 10) >= 7
  return {
    what: 'redis version',
    verdict: isRecent ? 'good' : 'bad',
    says: isRecent ? version : `${version}, needed is 7 or later`,
  }
}

/** A room's keys have no expiry, so that any policy but this one throws away people who wait. */
function judgeEviction(policy: string): Finding {
  const what = 'redis eviction'
  if (policy === 'noeviction') return { what, verdict: 'good', says: policy }
  return {
    what,
    verdict: 'bad',
    says: `maxmemory-policy is ${policy}; set it to noeviction, or Redis may forget the line`,
  }
}
