import type { App } from '../../http/index.ts'
import { Rounds } from '../../kit/index.ts'
import type { RoomServices } from '../room-services.ts'

const FLUSH_MS = 1_000

/** Brings what joins were refused for to the ledger, and the rest when the server stops. */
export function watchRefusals(app: App, { log, roomTokens }: RoomServices): void {
  const flush = () => roomTokens.refusals.flush()
  const rounds = new Rounds(log, [{ name: 'counting refused joins', everyMs: FLUSH_MS, work: flush }])
  app.addHook('onReady', async () => rounds.start())
  app.addHook('onClose', async () => {
    await rounds.close()
    // Without the ledger the last second of counts is lost, and no ticket.
    await flush().catch((err) => log.warn({ err }, 'the last refused joins were not counted'))
  })
}
