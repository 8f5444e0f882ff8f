import assert from 'node:assert/strict'

/** Everything but `epoch` belongs to one epoch. The order is the one in which `keys.lua` names them. */
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
] as const

/** Written only to see whether it can be. */
export const READY_KEY = 'seatwise:ready'

type KeyName = (typeof NAMES)[number]

/** The key that says under which epoch a room's state stands. */
export function epochKey(prefix: string, room: string): string {
  return `${tagged(prefix, room)}:epoch`
}

/** All keys of a room as every script takes them: the epoch key, then those of one epoch, so that a zombie writes where nobody reads. */
export function roomKeys(prefix: string, room: string, epoch: number): string[] {
  return [epochKey(prefix, room), ...NAMES.map((name) => roomKey(prefix, room, epoch, name))]
}

export function roomKey(prefix: string, room: string, epoch: number, name: KeyName): string {
  return `${tagged(prefix, room)}:${epoch}:${name}`
}

/** One hash tag for a room, so that a Cluster keeps all of it on one node. */
function tagged(prefix: string, room: string): string {
  assert(!/[{}]/.test(prefix + room), `A room and a prefix contain no braces: ${prefix}${room}`)
  return `${prefix}{${room}}`
}
