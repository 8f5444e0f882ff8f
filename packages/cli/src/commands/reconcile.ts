import type { Drift, DriftKind, ReconciledEvents } from '@seatwise/ledger'
import { readConfig, reconcileBooks } from '@seatwise/server'
import { type Command, readOptions, UsedWrongly } from '../command.ts'
import { withDeployment } from '../with-deployment.ts'

export const reconcile: Command = {
  name: 'reconcile',
  summary: 'compares gate, log, ledger and payments, and repairs what is safe',
  help: [
    'seatwise reconcile [--event ID] [--dry-run]',
    '',
    'Compares seats with their counts, with reservations and with purchases; purchases with what the payment provider says;',
    'tickets with the log; and what the line believes that tickets have with what the ledger says. Counts are counted anew,',
    'seats that nobody has any more are freed, seats that somebody has are taken back, and the line is told what is true;',
    'money and the log are never touched, only reported. Servers do the same by themselves every minute, and finish',
    'payments that turn out to be captured; this command may run beside them.',
    '',
    '  --event ID   only this event',
    '  --dry-run    only tells what it found',
    '',
    'Exit code 0 when everything agrees or was repaired, 1 when something is left, 2 when used wrongly.',
  ].join('\n'),
  async run(args) {
    const values = readOptions(args, { event: { type: 'string' }, 'dry-run': { type: 'boolean' } })
    if (values.event !== undefined && !UUID.test(values.event)) {
      throw new UsedWrongly(`--event takes the id of an event, not ${JSON.stringify(values.event)}`)
    }
    const options = { eventId: values.event ?? null, dryRun: values['dry-run'] === true }
    const config = readConfig()
    const { compared, events } = await withDeployment<ReconciledEvents>(config, {
      ledger: (primary) => reconcileBooks(config, primary, options),
      server: (server) => server.reconcile(options),
    })
    if (options.eventId !== null && compared === 0) throw new UsedWrongly(`There is no event ${options.eventId}.`)
    for (const { eventId, repaired, left } of events) {
      for (const drift of repaired) console.log(`repaired ${eventId} ${describe(drift)}`)
      for (const drift of left) console.log(`${options.dryRun ? 'found   ' : 'left    '} ${eventId} ${describe(drift)}`)
    }
    const leftCount = events.reduce((sum, { left }) => sum + left.length, 0)
    const repairedCount = events.reduce((sum, { repaired }) => sum + repaired.length, 0)
    const found = options.dryRun ? `${leftCount} found` : `${repairedCount} repaired, ${leftCount} left`
    console.log(`${compared} ${compared === 1 ? 'event' : 'events'} compared, ${found}`)
    return leftCount > 0 ? 1 : 0
  },
}

function describe({ kind, subject, details }: Drift): string {
  return `${SENTENCES[kind]} (${subject}, ${JSON.stringify(details)})`
}

const SENTENCES = {
  counts: 'the seat map counts other seats than there are',
  'held-by-nobody': 'a seat is held for a reservation that is over',
  'sold-to-nobody': 'a seat is sold to a reservation that is not paid',
  'seat-let-go': 'a seat that somebody has is free for everybody',
  'seat-elsewhere': "a seat that somebody has is somebody else's",
  'paid-without-payment': 'a reservation is paid, and no money was captured for it',
  'payment-without-sale': 'money was captured, and nothing is sold for it',
  provider: 'the provider has other books than the ledger',
  gate: 'the line counts other seats for a ticket than the ledger',
  ticket: 'a ticket lives on that the log has ended',
  log: 'the log does not end where the ledger has followed it to',
} as const satisfies Record<DriftKind, string>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
