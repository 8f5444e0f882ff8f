import { migrate as bringUp, type MigrationPlan, type PlannedTable, planMigrations } from '@seatwise/ledger'
import { openConfiguredLedger, readConfig } from '@seatwise/server'
import { type Command, readOptions } from '../command.ts'
import { count, duration } from '../report/format.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: "brings the ledger's schema up to this version",
  help: [
    'seatwise migrate [--plan]',
    '',
    "Brings the ledger's schema up to this version and ends. The server does the same when it starts; this command is",
    'for deployments that do it as a step of its own. Any number of processes may do it at once. A migration waits a second for a',
    'table that is in use, then lets others go first and tries again. One that takes something away is refused while',
    'programs that need it are connected.',
    '',
    '  --plan   changes nothing; says what each migration would do to which table, what others could not do meanwhile,',
    '           and for how long at most. It runs them on an empty ledger in memory and reads the sizes of your tables.',
  ].join('\n'),
  async run(args) {
    const { plan } = readOptions(args, { plan: { type: 'boolean' } })
    const ledger = await openConfiguredLedger(readConfig())
    try {
      if (plan === true) {
        console.log(explainPlan(await planMigrations(ledger)))
        return 0
      }
      const { version, applied } = await bringUp(ledger)
      for (const name of applied) console.log(`applied ${name}`)
      console.log(`The schema is at version ${version}.`)
      return 0
    } finally {
      await ledger.close()
    }
  },
}

function explainPlan({ present, needed, migrations, connected }: MigrationPlan): string {
  if (migrations.length === 0) return `The schema is at version ${present}. Nothing is to be done.`
  const lines = [`The schema is at version ${present}, this program brings it to ${needed}.`]
  for (const { name, purpose, creates, tables, secondsMax, worksFrom } of migrations) {
    lines.push('', `${name}: ${purpose}`)
    if (creates.length > 0) lines.push(`  creates   ${creates.join(', ')}`)
    lines.push(...tables.map(explainTable))
    const blocking = tables.filter(({ blocks }) => blocks !== 'nothing').length
    lines.push(
      blocking === 0
        ? '  Nothing waits for it.'
        : `  Its locks last about ${duration(secondsMax * 1_000)} at most, once it has them.`,
    )
    if (worksFrom !== null) lines.push(explainContraction(worksFrom, connected))
  }
  const contractions = migrations.some(({ worksFrom }) => worksFrom !== null)
  lines.push(
    '',
    contractions
      ? 'There is no way back over a migration that takes something away, but a backup.'
      : 'Programs of the version before go on, and may be started again afterwards.',
  )
  return lines.join('\n')
}

function explainTable({ name, rows, blocks, touches }: PlannedTable): string {
  const does = {
    nothing: 'reads no row',
    reads: 'reads every row',
    indexes: 'indexes every row',
    writes: 'writes every row',
  }[touches]
  const wait = {
    nothing: 'others go on',
    writes: 'writes wait',
    everything: 'reads and writes wait',
  }[blocks]
  return `  ${name.padEnd(20)} ${does}, about ${count(rows)}; ${wait}`
}

function explainContraction(worksFrom: number, connected: readonly number[]): string {
  const older = connected.filter((schema) => schema < worksFrom)
  const needs = `  It takes something away: programs must know schema ${worksFrom} or later.`
  if (older.length === 0) return needs
  return `${needs} Connected are some that know ${older.join(' and ')}: replace them first.`
}
