import { existsSync, writeFileSync } from 'node:fs'
import {
  connectToRunningServer,
  type Ledger,
  LedgerLocked,
  newestMigration,
  type SchemaVersions,
  schemaVersions,
} from '@seatwise/ledger'
import {
  type Config,
  createLog,
  type Finding,
  judgeFolder,
  judgeLedgerPath,
  judgeMachine,
  judgePostgres,
  judgeProvider,
  judgeRedis,
  judgeRedisPath,
  judgeSettings,
  judgeTraces,
  openConfiguredLedger,
  openConfiguredRedis,
  readConfig,
} from '@seatwise/server'
import { type Command, readOptions } from '../command.ts'
import { explainFailure } from '../explain-failure.ts'
import { makeBundle } from '../support/make-bundle.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'checks the deployment before a sale',
  help: [
    'seatwise doctor [--bundle FILE]',
    '',
    'Checks the settings, this machine, the ledger and Redis of this deployment: secrets, addresses and proxies, file',
    'descriptors, versions, schema, durability, isolation, connections, standbys, encryption, eviction, persistence,',
    'replicas, script limits, clocks, distances, poolers, the data folder and the collector of traces. Says of each',
    'whether it is good, weak (a sale is possible, but loses something that it need not lose) or bad, and what to do.',
    'Changes nothing. Exit code 1 if something is bad.',
    '',
    '  --bundle FILE   also writes the findings and what a helper has to know: versions, settings without secrets, sizes',
    '                  of tables, states of PostgreSQL and Redis. Nothing about buyers, and no secret; read it before you send it',
  ].join('\n'),
  async run(args) {
    const { bundle } = readOptions(args, { bundle: { type: 'string' } })
    const config = readConfig()
    const findings = [...judgeSettings(config), ...judgeMachine(), ...(await judgeFolder(config))]
    findings.push(...(await examineLedger(config)))
    findings.push(...(await examineRedis(config)), ...(await judgeTraces(config)))
    findings.push(...(await judgeProvider(config)))
    for (const { what, verdict, says } of findings) console.log(`${verdict.padEnd(5)} ${what.padEnd(18)} ${says}`)
    console.log(`\n${summarise(findings)}`)
    if (bundle !== undefined) {
      const text = `${JSON.stringify(await makeBundle(config, findings), null, 2)}\n`
      // A bundle is never written over another file by mistake, and is for its owner's eyes first.
      writeFileSync(bundle, text, { flag: 'wx', mode: 0o600 })
      console.log(`${bundle} is for those who help you: read it before you send it.`)
    }
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
  return [...findings, ...(await judgePostgres(ledger, config)), ...(await judgeLedgerPath(ledger, config))]
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
      judgeSchema({ present: schemaVersion, needed: newestMigration(), fits: schemaVersion === newestMigration() }),
    ]
  } catch (error) {
    return [{ what, verdict: 'bad', says: explainFailure(error) }]
  }
}

function judgeSchema({ present, needed, fits }: SchemaVersions): Finding {
  const what = 'ledger schema'
  if (present === needed) return { what, verdict: 'good', says: `version ${present}` }
  if (fits) {
    const says = `version ${present} is newer than this program (${needed}) and works with it: finish the upgrade or the way back`
    return { what, verdict: 'weak', says }
  }
  if (present > needed) {
    return {
      what,
      verdict: 'bad',
      says: `version ${present} is newer than this program (${needed}): run the newer program`,
    }
  }
  const says = `version ${present}, needed is ${needed}: see "seatwise migrate --plan", then run "seatwise migrate"`
  return { what, verdict: 'bad', says }
}

async function examineRedis(config: Config): Promise<Finding[]> {
  const redis = await openConfiguredRedis(config, createLog({ ...config, logLevel: 'silent' }))
  if (redis === null || config.redis === null) return []
  try {
    await redis.ping()
    return [
      { what: 'redis', verdict: 'good', says: `${redis.kind} answers` },
      ...(await judgeRedis(redis, config.redis)),
      ...(await judgeRedisPath(redis)),
    ]
  } catch (error) {
    return [{ what: 'redis', verdict: 'bad', says: explainFailure(error) }]
  } finally {
    await redis.close()
  }
}
