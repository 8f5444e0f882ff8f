import { migrate as bringUp } from '@seatwise/ledger'
import { openConfiguredLedger, readConfig } from '@seatwise/server'
import { type Command, readOptions } from '../command.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: "brings the ledger's schema up to this version",
  help: [
    "Brings the ledger's schema up to this version and ends. The server does the same when it starts; this command is",
    'for deployments that do it as a step of its own. Any number of processes may do it at once.',
  ].join('\n'),
  async run(args) {
    readOptions(args, {})
    const ledger = await openConfiguredLedger(readConfig())
    try {
      const { version, applied } = await bringUp(ledger)
      for (const name of applied) console.log(`applied ${name}`)
      console.log(`The schema is at version ${version}.`)
      return 0
    } finally {
      await ledger.close()
    }
  },
}
