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
    'Compares seats with their counts, reservations and purchases; orders with their lines and seats; purchases with their',
    'orders, refunds, receipts and the payment provider; tickets with the log; and the seats that the line has on record for',
    'each ticket with the ledger. It recounts, frees seats without an owner, takes back seats that have one, and corrects',
    'the line. It never changes money or the log, it only reports them.',
    'Servers do the same every minute, and finish payments that turn out to be captured; this command may run beside them.',
    '',
    '  --event ID   only this event',
    '  --dry-run    reports, and changes nothing',
    '',
    'Exit code 0 when everything agrees or was repaired, 1 when something is left, 2 for wrong usage.',
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
  'seat-let-go': 'a seat with an owner is marked free',
  'seat-elsewhere': 'the seat of a reservation is assigned to another one',
  'paid-without-payment': 'a reservation is paid, and no money was captured for it',
  'payment-without-sale': 'money was captured, and nothing is sold for it',
  order: 'the lines or the seats of an order do not add up to what it costs',
  captured: 'a sale took another amount than its order costs',
  papers: 'receipt and credit notes have other amounts than the purchase',
  refunds: 'a purchase says that another amount went back than its refunds do',
  'refund-seats': 'a refund is not what its seats cost',
  provider: 'the provider has other books than the ledger',
  gate: 'the line counts other seats for a ticket than the ledger',
  ticket: 'a ticket lives on that the log has ended',
  log: 'the log does not end where the ledger has followed it to',
} as const satisfies Record<DriftKind, string>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
