import { LineError } from './errors.ts'
import { insist } from './insist.ts'
import { openPlace } from './place.ts'
import { type Parts, prepare } from './prepare.ts'
import type { JoinAnswer } from './standing.ts'
import type { JoinOptions, Place } from './types.ts'

/**
 * Joins a line, or finds the place that this visitor has in it. Waits its turn when the server is busy; throws a
 * `LineError` when there is no joining: `SALES_NOT_STARTED`, `QUEUE_FULL`, `UNAUTHORIZED` and the like.
 */
export async function joinLine(options: JoinOptions): Promise<Place> {
  const parts = prepare(options)
  const { body, skewMs } = await insist(parts, () => join(parts, options))
  return openPlace(parts, body, skewMs)
}

async function join({ send: sendTo, room, kept }: Parts, options: JoinOptions) {
  const send = () => sendTo<JoinAnswer>('POST', `${room}/queue/join`, { body: options.join ?? {} })
  try {
    return await send()
  } catch (error) {
    const isGuest = options.accessToken === undefined && kept.read().accessToken !== undefined
    if (!(error instanceof LineError) || error.status !== 401 || !isGuest) throw error
    // The guest we were has ended: come as a new one.
    kept.forget('accessToken')
    return await send()
  }
}
