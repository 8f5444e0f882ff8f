import { LineError } from './errors.ts'
import { insist } from './insist.ts'
import { LivePlace } from './place.ts'
import { prepare } from './prepare.ts'
import type { Standing } from './standing.ts'
import type { Place, PlaceOptions } from './types.ts'

/** The place this device had before it was reloaded; null when it had none, or none that the server still knows. */
export async function resumePlace(given: PlaceOptions): Promise<Place | null> {
  const parts = prepare(given)
  const {
    options: { proof },
    kept,
    send,
    room,
  } = parts
  if (proof === 'storage' && kept.read().ticketToken === undefined) return null
  try {
    const { body, skewMs } = await insist(parts, () => send<Standing>('GET', `${room}/queue/status`))
    return new LivePlace(parts, body, skewMs)
  } catch (error) {
    if (error instanceof LineError && (error.status === 401 || error.status === 403)) return null
    throw error
  }
}
