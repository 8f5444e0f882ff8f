import { type Command, readOptions, UsedWrongly } from '../command.ts'
import { findSale } from '../rehearse/sale/sale.ts'
import { askServer } from '../witness/ask-server.ts'
import { keepHead, readKeptHeads } from '../witness/kept-heads.ts'
import { type Contradiction, witnessLog } from '../witness/witness-log.ts'

export const witness: Command = {
  name: 'witness',
  summary: 'keeps signed heads of a sale’s log, and says when it was rewritten',
  help: [
    'seatwise witness --url U --event ID [--heads DIR] [--json]',
    '',
    'Fetches the latest signed head of a sale’s public log and proves that it extends every head that was kept before. Then it',
    'keeps the new one. Needs no account and no settings. Run it from cron, every few minutes, on a machine of your own.',
    '',
    '  --url U      the server',
    '  --event ID   the event',
    '  --heads DIR  where heads are kept, one file each (default: witnessed/ID)',
    '  --json       what was found, as JSON',
    '',
    'Exit code 0 when the log only grew. 1 when it was rewritten or the head is not validly signed; both heads are then printed:',
    'with their signatures they prove it to anybody. 2 for wrong usage.',
  ].join('\n'),
  async run(args) {
    const given = readOptions(args, {
      ...{ url: { type: 'string' }, event: { type: 'string' }, heads: { type: 'string' }, json: { type: 'boolean' } },
    })
    if (given.url === undefined || !URL.canParse(given.url)) throw new UsedWrongly('Say which server: --url U')
    if (given.event === undefined || !UUID.test(given.event)) throw new UsedWrongly('Say which event: --event ID')
    const url = new URL(given.url)
    const { eventId, roomId } = await findSale(url, given.event.toLowerCase())
    const folder = given.heads ?? `witnessed/${eventId}`
    const kept = readKeptHeads(folder)
    const found = await witnessLog(askServer(url), { room: `/api/events/${eventId}`, roomId }, kept)
    if (given.json === true) console.log(JSON.stringify(found, null, 2))
    switch (found.status) {
      case 'extends':
        keepHead(folder, found.head)
        if (given.json !== true)
          console.log(`${found.head.size} entries; extends the ${kept.length} heads in ${folder}.`)
        return 0
      case 'rewritten':
        keepHead(folder, found.contradiction.now)
        if (given.json !== true) console.log(asEvidence(found.contradiction))
        return 1
      case 'not-signed':
        if (given.json !== true) console.log(`The head is not valid: ${found.why}\n${found.head.checkpoint}`)
        return 1
    }
  },
}

function asEvidence({ why, before, now }: Contradiction): string {
  return [
    `The log was rewritten: ${why}.`,
    '',
    'Signed before:',
    '',
    before.checkpoint,
    'Signed now:',
    '',
    now.checkpoint,
  ].join('\n')
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
