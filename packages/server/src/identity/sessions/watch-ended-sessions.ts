import { forgetEnded } from '@seatwise/ledger'
import type { App } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'

const REFRESH_MS = 1_000
/** Every server runs this clean-up; repeating it costs nothing. */
const TIDY_MS = 10 * 60_000
const NOTE_MS = 5_000
/** So late may the last use of a key be known. */
const KEYS_NOTE_MS = 60_000

/** Keeps the lists of ended sessions, members and keys at most about a second old while the server runs. */
export function watchEndedSessions(app: App, { identity, ledger, log }: IdentityServices): void {
  let isAway = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const round = async (): Promise<void> => {
    const startedAtMs = performance.now()
    try {
      await Promise.all([identity.ended.refresh(), identity.teams.refresh()])
      if (isAway) log.info('the list of ended sessions is read again')
      isAway = false
    } catch (err) {
      if (!isAway) log.warn({ err }, 'the list of ended sessions cannot be read: privileged requests are refused')
      isAway = true
    }
    // Waits after each read, however slow it was: an overloaded ledger must not be read in a tight loop.
    const restMs = Math.max(REFRESH_MS / 4, REFRESH_MS - (performance.now() - startedAtMs))
    if (!closed) timer = setTimeout(() => void round(), restMs).unref()
  }
  timer = setTimeout(() => void round(), REFRESH_MS).unref()
  const tidier = setInterval(() => {
    forgetEnded(ledger.db).catch((err: unknown) => log.warn({ err }, 'could not delete old ended sessions'))
  }, TIDY_MS).unref()
  const noter = setInterval(() => {
    identity.uses.write().catch((err: unknown) => log.warn({ err }, 'could not note which sessions are used'))
  }, NOTE_MS).unref()
  const keyNoter = setInterval(() => {
    identity.teams.tidy().catch((err: unknown) => log.warn({ err }, 'could not note which API keys were used'))
  }, KEYS_NOTE_MS).unref()
  app.addHook('onClose', async () => {
    closed = true
    clearTimeout(timer)
    clearInterval(tidier)
    clearInterval(noter)
    clearInterval(keyNoter)
  })
}
