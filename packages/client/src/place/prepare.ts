import { browserStorage, platform } from '../device/environment.ts'
import { createKept, type Kept } from '../device/kept.ts'
import { type Api, createApi } from '../network/api.ts'
import type { Environment, PlaceOptions } from '../types.ts'

/** What every place is built from: the platform, the options with their defaults, and what follows from both. */
export interface Parts extends Environment, Api {
  readonly options: PlaceOptions
  readonly origin: string
  /** `/api/events/:id` or `/api/rooms/:id`: where the room's own paths begin. */
  readonly room: string
  /** `event:{id}` or `room:{id}`: where the names of its channels begin. */
  readonly channel: string
  readonly kept: Kept
}

export function prepare(given: PlaceOptions): Parts {
  const environment = { ...platform(), ...given.environment }
  // Where there is no page there is no `location`, and `url` has to be given.
  const here = globalThis.location?.origin
  const { origin } = new URL(given.url ?? here)
  const options = { ...given, proof: given.proof ?? (origin === here ? 'cookie' : 'storage') } as const
  const [kind, id] = given.roomId === undefined ? ['event', given.eventId] : ['room', given.roomId]
  const room = `/api/${kind}s/${id}`
  const kept = createKept(given.storage ?? browserStorage(), `seatwise:${origin}${room}`)
  const api = createApi(given, origin, kept, environment)
  return { ...environment, ...api, options, origin, room, channel: `${kind}:${id}`, kept }
}
