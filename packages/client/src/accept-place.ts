import { insist } from './insist.ts'
import { openPlace } from './place.ts'
import { prepare } from './prepare.ts'
import type { JoinAnswer } from './standing.ts'
import type { AcceptOptions, Place } from './types.ts'

/** Takes over a place from another device, with the code it showed. That device knows from then on. */
export async function acceptPlace(options: AcceptOptions): Promise<Place> {
  const parts = prepare(options)
  const { send, room, newKey } = parts
  // One key for all attempts: a lost answer must not make the code look used.
  const call = { body: { code: options.code }, key: newKey() }
  const accept = () => send<JoinAnswer>('POST', `${room}/queue/handover/accept`, call)
  const { body, skewMs } = await insist(parts, accept)
  return openPlace(parts, body, skewMs)
}
