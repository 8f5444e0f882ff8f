import { LineError } from '../errors.ts'
import type { JoinOptions, Place } from '../types.ts'
import { openPlace } from './place.ts'
import type { JoinAnswer } from './position.ts'
import { prepare } from './prepare.ts'

/**
 * Joins a line, or finds the place that this visitor has in it. Retries while the server is busy; throws a
 * `LineError` if joining is refused: `SALES_NOT_STARTED`, `QUEUE_FULL`, `UNAUTHORIZED` and the like.
 */
export async function joinLine(options: JoinOptions): Promise<Place> {
  const parts = prepare(options)
  const { send, room, kept } = parts
  // A retry after a lost answer is the same guest.
  const key = parts.newKey()
  const ask = (proof?: string) =>
    send<JoinAnswer>('POST', `${room}/queue/join`, { body: { ...options.join, proof }, key })
  const join = () =>
    ask().catch(async (error) => {
      if (!error.details?.challenge) throw error
      return (await import('../proof/join-with-proof.ts')).joinWithProof(error, ask, options.onSolving)
    })
  return await openPlace(parts, async () => {
    try {
      return await join()
    } catch (error) {
      const isEnded =
        error instanceof LineError && error.status === 401 && error.code !== 'TICKET_MOVED' && kept.read().accessToken
      if (!isEnded || options.accessToken !== undefined) throw error
      // The guest we were has ended: come as a new one.
      kept.write({ accessToken: undefined })
      return await join()
    }
  })
}
