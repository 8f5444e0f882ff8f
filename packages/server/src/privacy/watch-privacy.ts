import { forgetOld, listErasures } from '@seatwise/ledger'
import type { App } from '../http/index.ts'
import { Rounds } from '../kit/index.ts'
import type { RoomServices } from '../rooms/index.ts'
import { finishDeletion } from './delete-account.ts'
import { removeOldMail } from './mail-copies.ts'

const FORGET_MS = 10 * 60_000
const FINISH_MS = 5_000
/** A deletion takes less; one that is older belongs to a server that died. */
const DELETION_SECONDS_MAX = 30

/** Every server does this, and repeating it costs little: deletions that a crash left, and what was kept long enough. */
export function watchPrivacy(app: App, services: RoomServices): void {
  const { ledger, config, now } = services
  // An embedded server has its ledger for itself: what it finds at its start, its former process left.
  let olderThanSeconds = config.mode === 'embedded' ? 0 : DELETION_SECONDS_MAX
  const rounds = new Rounds(services.log, [
    {
      name: 'finishing deletions of accounts',
      everyMs: FINISH_MS,
      async work() {
        const begun = await listErasures(ledger.db, { olderThanSeconds })
        olderThanSeconds = DELETION_SECONDS_MAX
        for (const userId of begun) {
          await finishDeletion(services, userId)
          services.log.info({ userId }, 'finished a deletion that a server had left')
        }
      },
    },
    {
      name: 'deleting what was kept long enough',
      everyMs: FORGET_MS,
      async work() {
        while (await forgetOld(ledger.db, config.retentionDays));
        await removeOldMail(config, now())
      },
    },
  ])
  app.addHook('onReady', async () => rounds.start())
  app.addHook('onClose', async () => await rounds.close())
}
