import { checkRecords, formatReport, isSound, type Report } from '@seatwise/checker'
import { readConfig } from '@seatwise/server'
import { type Command, readOptions, UsedWrongly } from '../command.ts'
import { withReader } from '../verify/open-reader.ts'
import { recordsOfSale } from '../verify/records-of-sale.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'checks every invariant of a sale from log and ledger',
  help: [
    'seatwise verify --event ID [--json]',
    '',
    'Reads the log and the ledger of a sale and decides for each invariant of spec/invariants.md whether it held. One line',
    'each: held; violated, with the facts that break it; or vacuous, because nothing happened that could have broken it',
    '(or because only what clients were told could show it). Changes nothing, and may run while the sale does.',
    '',
    '  --event ID   the event that is sold',
    '  --json       the whole report as JSON',
    '',
    'Exit code 0 when nothing is violated, 1 when something is, 2 when used wrongly.',
  ].join('\n'),
  async run(args) {
    const { event, json } = readOptions(args, { event: { type: 'string' }, json: { type: 'boolean' } })
    if (event === undefined) throw new UsedWrongly('Say which event: --event ID')
    if (!UUID.test(event)) throw new UsedWrongly(`--event takes the id of an event, not ${JSON.stringify(event)}`)
    const report = await withReader(readConfig(), async (read): Promise<Report> => {
      const records = await recordsOfSale(read, event.toLowerCase())
      if (records === null) throw new UsedWrongly(`There is no event ${event}.`)
      return await checkRecords(records)
    })
    const isGood = isSound(report)
    console.log(json === true ? JSON.stringify({ event, isSound: isGood, ...report }, null, 2) : formatReport(report))
    return isGood ? 0 : 1
  },
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
