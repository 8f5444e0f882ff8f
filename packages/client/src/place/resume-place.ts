import { LineError } from '../errors.ts'
import { insist } from '../network/insist.ts'
import type { Place, PlaceOptions } from '../types.ts'
import { LivePlace } from './place.ts'
import type { Position } from './position.ts'
import { prepare } from './prepare.ts'

/** The place this device had before it was reloaded; null when it had none, or none that the server still knows. */
export async function resumePlace(options: PlaceOptions): Promise<Place | null> {
  const parts = prepare(options)
  if (parts.options.proof === 'storage' && !parts.kept.read().ticketToken) return null
  try {
    return new LivePlace(parts, await insist(parts, () => parts.send<Position>('GET', `${parts.room}/queue/status`)))
  } catch (error) {
    if (error instanceof LineError && /40[13]/.test(String(error.status))) return null
    throw error
  }
}
