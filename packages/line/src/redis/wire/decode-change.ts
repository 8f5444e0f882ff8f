import assert from 'node:assert/strict'
import type { Announcement, Change, Changed, Joined, OpeningRules } from '../../log-entry.ts'
import { readShown } from './shown.ts'
import { unescapeText } from './text.ts'
import { Words } from './words.ts'

/**
 * Reads one line of a log entry, as the scripts append it: operation, kind, and the fields of the kind, between tabs.
 * `before` is the change in the line before it, in the same step.
 */
export function decodeChange(line: string, before: Change | null): { operation: string; change: Change } {
  const words = new Words(line, '\t')
  const operation = unescapeText(words.text())
  return { operation, change: READERS[words.oneOf(KINDS)](words, before) }
}

const READERS = {
  opened: (words) => ({
    kind: 'opened',
    reason: unescapeText(words.text()),
    nextNumber: words.number(),
    waiting: words.number(),
    floor: words.number(),
    rules: rulesIn(words.text()),
  }),
  joined: joinedIn,
  restored: (words) => ({
    kind: 'restored',
    number: words.number(),
    identity: words.text(),
    class: words.ticketClass(),
    place: words.number(),
    rank: words.number(),
    generation: words.number(),
    joinedAt: words.number(),
    fromEpoch: words.number(),
  }),
  admitted: (words) => ({
    kind: 'admitted',
    number: words.number(),
    class: words.ticketClass(),
    fence: words.number(),
    deadline: words.number(),
    active: words.flag(),
    ...(words.text() === 'operator' ? { by: 'operator' } : {}),
  }),
  entered: (words) => ({ kind: 'entered', number: words.number(), deadline: words.number() }),
  completed: (words) => ({ kind: 'completed', number: words.number() }),
  expired: (words) => ({
    kind: 'expired',
    reason: words.reason(),
    numbers: words.numbers(),
    ranks: words.numbersOrNull(),
  }),
  away: (words) => ({ kind: 'away', numbers: words.numbers(), ranks: words.numbers() }),
  back: (words) => ({ kind: 'back', numbers: words.numbers(), ranks: words.numbers() }),
  attended: (words) => ({ kind: 'attended', unattendedSince: words.number() }),
  extended: (words) => ({
    kind: 'extended',
    number: words.number(),
    deadline: words.number(),
    sessionEnd: words.number(),
  }),
  moved: (words) => ({
    kind: 'moved',
    number: words.number(),
    generation: words.number(),
    fence: words.numberOrNull(),
  }),
  adopted: (words) => ({ kind: 'adopted', number: words.number(), identity: words.text(), userId: words.text() }),
  reserved: (words) => ({
    kind: 'reserved',
    deadline: words.numberOrNull(),
    quantity: words.number(),
    numbers: words.numbers(),
  }),
  corrected: (words) => ({
    kind: 'corrected',
    number: words.number(),
    from: words.oneOf(['waiting', 'admitted', 'active']),
    state: words.oneOf(['admitted', 'active', 'completed']),
    fence: words.numberOrNull(),
    deadline: words.numberOrNull(),
    sessionEnd: words.numberOrNull(),
    quantity: words.number(),
  }),
  changed: (words) => ({ kind: 'changed', ...changeIn(words.text()) }),
  classed: (words) => ({
    kind: 'classed',
    number: words.number(),
    class: words.ticketClass(),
    code: unescapeText(words.text()),
    place: words.number(),
    rank: words.number(),
    fromRank: words.number(),
  }),
  grouped: (words) => ({
    kind: 'grouped',
    number: words.number(),
    members: words.numbers(),
    merged: words.numberOrNull(),
    fromRank: words.numberOrNull(),
    left: words.numberOrNull(),
  }),
  codes: (words) => announcementIn('codes', words),
  prices: (words) => announcementIn('prices', words),
  draw: (words) => announcementIn('draw', words),
  sealed: (words) => announcementIn('sealed', words),
  revealed: (words) => announcementIn('revealed', words),
} as const satisfies { [Kind in Change['kind']]: Reader<Kind> }

type Reader<Kind> = (words: Words, before: Change | null) => Extract<Change, { kind: Kind }>

const KINDS = Object.keys(READERS) as Change['kind'][]

/** A plus instead of a number: the ticket right behind the one of the log line before. */
function joinedIn(words: Words, before: Change | null): Joined {
  const first = words.text()
  const ticket = first === '+' ? nextAfter(before) : numberedIn(Number(first), words)
  return {
    kind: 'joined',
    ...ticket,
    identity: words.text(),
    code: textOrNull(words),
    limitKey: textOrNull(words),
    shown: shownOrNull(words),
    profile: unescapeText(words.text()),
  }
}

type Numbered = Pick<Joined, 'number' | 'class' | 'place' | 'rank'>

function numberedIn(number: number, words: Words): Numbered {
  return { number, class: words.ticketClass(), place: words.number(), rank: words.number() }
}

function nextAfter(before: Change | null): Numbered {
  assert(before?.kind === 'joined', 'A log line continues from a line that drew no ticket')
  return { number: before.number + 1, class: before.class, place: before.place + 1, rank: before.rank + 1 }
}

/** Object literals read their fields in source order, which is the order in which the scripts write them. */
function textOrNull(words: Words): string | null {
  const text = words.text()
  return text === '' ? null : unescapeText(text)
}

function shownOrNull(words: Words): { name: string; avatar: string | null } | null {
  const text = words.text()
  return text === '' ? null : readShown(text)
}

/** The server wrote it, from a typed announcement; the scripts only carried it. */
function announcementIn<Kind extends Announcement['kind']>(kind: Kind, words: Words): Extract<Change, { kind: Kind }> {
  const what: unknown = JSON.parse(words.text())
  assert(typeof what === 'object' && what !== null)
  return { ...what, kind } as Extract<Change, { kind: Kind }>
}

/** `load.ts` wrote it, from typed rules. */
function rulesIn(json: string): OpeningRules {
  const rules: unknown = JSON.parse(json)
  assert(typeof rules === 'object' && rules !== null && 'settings' in rules)
  return rules as OpeningRules
}

/** `change.ts` wrote it, from a typed change, or settle.lua, from numbers. */
function changeIn(json: string): Omit<Changed, 'kind'> {
  const change: unknown = JSON.parse(json)
  assert(typeof change === 'object' && change !== null && 'by' in change && typeof change.by === 'string')
  return { ...change, by: change.by }
}
