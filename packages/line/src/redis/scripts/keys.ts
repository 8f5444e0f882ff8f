import assert from 'node:assert/strict'

/** Every key but `epoch` belongs to one epoch. Same order as in `keys.lua`. */
const NAMES = [
  'room',
  'line',
  'away',
  'floor',
  'passes',
  'ended',
  'tickets',
  'chunks',
  'identities',
  'limits',
  'limit-of',
  'codes',
  'shown',
  'moves',
  'operations',
  'log',
  'takes',
  'take-ends',
  'passed',
  'oldest-waiting',
  'oldest-away',
  'spent',
  'groups',
] as const

/** Written only to prove that Redis accepts writes. */
export const READY_KEY = 'seatwise:ready'

type KeyName = (typeof NAMES)[number]

/** The key that stores a room's current epoch. */
export function epochKey(prefix: string, room: string): string {
  return `${tagged(prefix, room)}:epoch`
}

/** All keys of a room, as every script takes them: the epoch key, then those of one epoch, so that a server with an old epoch writes to keys that are not read. Rule L36. */
export function roomKeys(prefix: string, room: string, epoch: number): string[] {
  return [epochKey(prefix, room), ...NAMES.map((name) => roomKey(prefix, room, epoch, name))]
}

export function roomKey(prefix: string, room: string, epoch: number, name: KeyName): string {
  return `${tagged(prefix, room)}:${epoch}:${name}`
}

/** One hash tag for a room, so that a Cluster keeps all of it on one node. */
function tagged(prefix: string, room: string): string {
  assert(!/[{}]/.test(prefix + room), `A room and a prefix must not contain braces: ${prefix}${room}`)
  return `${prefix}{${room}}`
}
