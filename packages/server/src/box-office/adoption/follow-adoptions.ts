import { finishAdoptions, takeUndeliveredTickets } from '@seatwise/ledger'
import type { App } from '../../http/index.ts'
import { Rounds } from '../../kit/index.ts'
import { adoptTicket } from '../../rooms/index.ts'
import type { BoxOfficeServices } from '../box-office-services.ts'

const FOLLOW_MS = 500
const FINISH_MS = 10_000
/** The rest waits for the next round. */
const ROUND_MAX = 50

/** While the server listens, it tells lines about adoptions they missed: the adopting server may have died before. */
export function followAdoptions(app: App, services: BoxOfficeServices): void {
  const rounds = new Rounds(services.log, [
    { name: 'bringing adoptions to the lines', everyMs: FOLLOW_MS, work: () => tellLines(services) },
    { name: 'finishing adoptions', everyMs: FINISH_MS, work: () => finishAdoptions(services.ledger.db) },
  ])
  app.addHook('onListen', async () => rounds.start())
  app.addHook('onClose', () => rounds.close())
}

export async function tellLines(
  services: Pick<BoxOfficeServices, 'ledger' | 'rooms' | 'roomTokens' | 'log'>,
): Promise<void> {
  const undelivered = await takeUndeliveredTickets(services.ledger.db, ROUND_MAX)
  await Promise.all(undelivered.map(({ roomId, ...adoption }) => adoptTicket(services, roomId, adoption)))
}
