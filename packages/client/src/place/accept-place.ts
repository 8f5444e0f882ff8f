import type { AcceptOptions, Place } from '../types.ts'
import { openPlace } from './place.ts'
import type { JoinAnswer } from './position.ts'
import { prepare } from './prepare.ts'

/** Takes over a place from another device, with the code it showed. That device knows from then on. */
export async function acceptPlace(options: AcceptOptions): Promise<Place> {
  const parts = prepare(options)
  // One key for all attempts: a lost answer must not make the code look used.
  const call = { body: { code: options.code }, key: parts.newKey() }
  return await openPlace(parts, () => parts.send<JoinAnswer>('POST', `${parts.room}/queue/handover/accept`, call))
}
