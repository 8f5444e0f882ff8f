import { createApi } from './api.ts'
import { browserStorage, platform } from './environment.ts'
import { Kept } from './kept.ts'
import type { PlaceParts } from './place.ts'
import type { PlaceOptions } from './types.ts'

/** What every place is built from: the options with their defaults, and the platform. */
export function prepare(options: PlaceOptions): PlaceParts {
  const environment = { ...platform(), ...options.environment }
  const here = typeof location === 'undefined' ? undefined : location.origin
  const origin = options.url === undefined ? here : new URL(options.url).origin
  if (origin === undefined) throw new TypeError('Say where Seatwise is: outside of its own pages `url` is needed')
  const proof = options.proof ?? (origin === here ? 'cookie' : 'storage')
  const name = `seatwise:${origin}:${options.roomId ?? options.eventId}`
  const kept = new Kept(options.storage ?? browserStorage(), name)
  return { options: { ...options, proof }, environment, kept, api: createApi(options, origin, kept, environment) }
}
