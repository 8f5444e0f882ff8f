import { existsSync } from 'node:fs'
import {
  connectToRunningServer,
  type Ledger,
  LedgerLocked,
  neededSchemaVersion,
  schemaVersions,
} from '@seatwise/ledger'
import {
  type Config,
  createLog,
  type Finding,
  judgeMachine,
  judgePostgres,
  judgeRedis,
  judgeSettings,
  openConfiguredLedger,
  openConfiguredRedis,
  readConfig,
} from '@seatwise/server'
import { type Command, readOptions } from '../command.ts'
import { explainFailure } from '../explain-failure.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'checks the deployment before a sale',
  help: [
    'Checks the settings, this machine, the ledger and Redis of this deployment: secrets, addresses and proxies, file',
    'descriptors, versions, schema, durability, isolation, connections, standbys, encryption, eviction, persistence,',
    'replicas, script limits and clocks. Says of each whether it is good, weak (a sale is possible, but loses something',
    'that it need not lose) or bad, and what to do. Changes nothing. Exit code 1 if something is bad.',
  ].join('\n'),
  async run(args) {
    readOptions(args, {})
    const config = readConfig()
    const findings = [...judgeSettings(config), ...judgeMachine()]
    findings.push(...(await examineLedger(config)))
    findings.push(...(await examineRedis(config)))
    for (const { what, verdict, says } of findings) console.log(`${verdict.padEnd(5)} ${what.padEnd(18)} ${says}`)
    console.log(`\n${summarise(findings)}`)
    return findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0
  },
}

function summarise(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict).length
  if (count('bad') > 0) return `Do not open a sale like this: ${count('bad')} bad, ${count('weak')} weak.`
  if (count('weak') > 0) return `A sale is possible like this; ${count('weak')} could be better.`
  return 'All is well.'
}

async function examineLedger(config: Config): Promise<Finding[]> {
  const what = 'ledger'
  if (config.databaseUrl === null && !existsSync(config.dataDir)) {
    return [{ what, verdict: 'good', says: `nothing in ${config.dataDir} yet; the first start creates it` }]
  }
  try {
    const ledger = await openConfiguredLedger(config)
    try {
      return await examineOpenLedger(ledger, config)
    } finally {
      await ledger.close()
    }
  } catch (error) {
    if (error instanceof LedgerLocked) return await examineRunningServer(error)
    return [{ what, verdict: 'bad', says: explainFailure(error) }]
  }
}

async function examineOpenLedger(ledger: Ledger, config: Config): Promise<Finding[]> {
  await ledger.ping()
  const findings: Finding[] = [
    { what: 'ledger', verdict: 'good', says: `${ledger.kind} answers, and its locale knows UTF-8` },
  ]
  if (ledger.replicaProblem !== undefined) {
    findings.push({ what: 'ledger replica', verdict: 'bad', says: ledger.replicaProblem })
  }
  findings.push(judgeSchema(await schemaVersions(ledger)))
  return [...findings, ...(await judgePostgres(ledger, config))]
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
  if (redis === null || config.redis === null) return []
  try {
    await redis.ping()
    return [
      { what: 'redis', verdict: 'good', says: `${redis.kind} answers` },
      ...(await judgeRedis(redis, config.redis)),
    ]
  } catch (error) {
    return [{ what: 'redis', verdict: 'bad', says: explainFailure(error) }]
  } finally {
    await redis.close()
  }
}
