import { createHash } from 'node:crypto'
import type { ForgedLog, Shown } from './forged-log.ts'
import type { ShownRun } from './judges.ts'

/** A fraud that must be rejected, and for this reason: what is wrong by accident proves nothing. */
export interface Fraud extends ShownRun {
  readonly says: string
}

interface LogFraud {
  readonly name: string
  readonly says: string
  readonly commit: (honest: ForgedLog) => Omit<ShownRun, 'name'>
}

type Entry = Record<string, unknown> & { kind: string; seq: number }

/** An honest log with everything that the frauds change, and proofs of it. */
export function honestLog(honest: ForgedLog): ShownRun {
  const kept = { heads: [honest.head(5), honest.head()], receipts: [honest.receipt(2), honest.receipt(3, 9)] }
  return { name: 'the control', shown: honest.shown(), ...kept }
}

/** The frauds that concern the log. A fraud is what an operator with the key can do; each is re-signed where that helps it. */
export function logFrauds(honest: ForgedLog): Fraud[] {
  return FRAUDS.map(({ name, says, commit }) => ({ name, says, ...commit(honest) }))
}

const FRAUDS: readonly LogFraud[] = [
  {
    name: 'an entry altered, under the same head',
    says: 'was signed over other entries',
    commit: (honest) => ({ shown: unsigned(honest, alter) }),
  },
  {
    name: 'two entries swapped, under the same head',
    says: 'was signed over other entries',
    commit: (honest) => ({ shown: unsigned(honest, swap) }),
  },
  {
    name: 'an entry dropped, under the same head',
    says: 'are shown',
    commit: (honest) => ({ shown: unsigned(honest, drop) }),
  },
  {
    name: 'an entry inserted, under the same head',
    says: 'was signed over other entries',
    commit: (honest) => ({ shown: unsigned(honest, insert) }),
  },
  {
    name: 'an entry altered and all signed anew',
    says: 'The log was rewritten',
    commit: (honest) => signedAnew(honest, alter),
  },
  {
    name: 'an entry dropped and all signed anew',
    says: 'The log was rewritten',
    commit: (honest) => signedAnew(honest, drop),
  },
  {
    name: 'an entry inserted and all signed anew',
    says: 'The log was rewritten',
    commit: (honest) => signedAnew(honest, insert),
  },
  {
    name: 'two entries swapped and all signed anew',
    says: 'The log was rewritten',
    commit: (honest) => signedAnew(honest, swap),
  },
  {
    name: 'a price list replaced, with its hash, and all signed anew',
    says: 'The log was rewritten',
    commit: (honest) => signedAnew(honest, (texts) => changeOnly(texts, 'prices', listed(dearer(texts)))),
  },
  {
    name: 'a head that is kept, and no proof that the latest extends it',
    says: 'The log was rewritten',
    commit: (honest) => ({ shown: { ...honest.shown(), consistency: () => [] }, heads: [honest.head(5)] }),
  },
  {
    name: 'two heads of one size',
    says: 'The log was rewritten',
    commit(honest) {
      const other = honest.with(alter(honest.texts))
      return { shown: other.shown(), heads: [honest.head()] }
    },
  },
  {
    name: 'a log that became shorter',
    says: 'now there are only',
    commit: (honest) => ({ shown: honest.with(honest.texts.slice(0, -2)).shown(), heads: [honest.head()] }),
  },
  {
    name: 'a proof for another leaf in a receipt',
    says: 'A receipt does not prove its entry',
    commit(honest) {
      const receipt = honest.receipt(2)
      return { shown: honest.shown(), receipts: [{ ...receipt, proof: honest.receipt(3).proof }] }
    },
  },
  {
    name: 'a receipt for an entry that is not shown',
    says: 'is not the one that a receipt proves',
    commit(honest) {
      const other = honest.with(alter(honest.texts))
      return { shown: honest.shown(), receipts: [other.receipt(joinIndex(honest.texts))] }
    },
  },
  {
    name: 'a receipt of another room',
    says: 'it is of another log',
    commit(honest) {
      const head = honest.head(undefined, 'localhost/rooms/00000000-0000-4000-8000-000000000000')
      return { shown: honest.shown(), receipts: [{ ...honest.receipt(2), head }] }
    },
  },
  {
    name: 'a head of another log',
    says: 'The head is of another log',
    commit(honest) {
      const head = honest.head(undefined, 'localhost/rooms/00000000-0000-4000-8000-000000000000')
      return { shown: { ...honest.shown(), head } }
    },
  },
  {
    name: 'a head by a key that is not published',
    says: 'is not published',
    commit: (honest) => ({ shown: { ...honest.shown(), keys: [] } }),
  },
  {
    name: 'a head that says another size than was signed',
    says: 'another size was signed',
    commit: (honest) => ({ shown: { ...honest.shown(), head: { ...honest.head(), size: honest.texts.length - 1 } } }),
  },
  {
    name: 'a log that was rebuilt with another past',
    says: 'The log was rewritten',
    commit(honest) {
      const past = honest.texts
        .slice(0, -1)
        .map((text) => text.replace(/"at":(\d+)/, (_, at) => `"at":${Number(at) - 1}`))
      const reopened = change(honest.texts[0], { epoch: 2, seq: 1, reason: 'rebuilt' })
      return { shown: honest.with([...past, reopened]).shown(), heads: [honest.head(honest.texts.length - 1)] }
    },
  },
  {
    name: 'a gap in an epoch',
    says: 'follows',
    commit: (honest) => ({ shown: honest.with(drop(honest.texts)).shown() }),
  },
  {
    name: 'a price list replaced by a dearer one',
    says: 'the price list is not the one of its hash',
    commit: (honest) => ({
      shown: honest.with(changeOnly(honest.texts, 'prices', { list: dearer(honest.texts) })).shown(),
    }),
  },
  {
    name: 'prices that rise while visitors wait',
    says: 'prices rose while visitors waited',
    commit(honest) {
      const rise = { ...last(honest.texts), kind: 'prices', ...listed(dearer(honest.texts)) }
      return { shown: honest.with([...honest.texts, JSON.stringify(rise)]).shown() }
    },
  },
  {
    name: 'a priority ticket without a code',
    says: 'without a code',
    commit(honest) {
      const at = joinIndex(honest.texts)
      return { shown: honest.with(honest.texts.with(at, change(honest.texts[at], { class: 2 }))).shown() }
    },
  },
  {
    name: 'a priority ticket with a code that was never made',
    says: 'was not made, or was used before',
    commit(honest) {
      const at = joinIndex(honest.texts)
      const friend = change(honest.texts[at], { class: 2, code: 'ab'.repeat(32) })
      return { shown: honest.with(honest.texts.with(at, friend)).shown() }
    },
  },
  {
    name: 'a waiting ticket moved forward with the code of another',
    says: 'was not made, or was used before',
    commit(honest) {
      const { code } = JSON.parse(honest.texts.find((text) => text.includes('"code"')) ?? '{}') as Entry
      return { shown: honest.with(changeOnly(honest.texts, 'classed', { code })).shown() }
    },
  },
  {
    name: 'a waiting ticket moved forward with a code of another class',
    says: 'was not made, or was used before',
    commit: (honest) => ({ shown: honest.with(changeOnly(honest.texts, 'classed', { class: 3 })).shown() }),
  },
  {
    name: 'a visitor let in before one who stood ahead',
    says: 'which stood before it',
    commit(honest) {
      const first = honest.texts.findIndex((text) => kindOf(text) === 'admitted')
      const second = honest.texts.findIndex((text, index) => index > first && kindOf(text) === 'admitted')
      const numberOf = (index: number) => (JSON.parse(honest.texts[index] ?? '{}') as Entry).number
      const texts = honest.texts
        .with(first, change(honest.texts[first], { number: numberOf(second) }))
        .with(second, change(honest.texts[second], { number: numberOf(first) }))
      return { shown: honest.with(texts).shown() }
    },
  },
]

/** Other entries under the head that was signed over the honest ones. */
function unsigned(honest: ForgedLog, lie: (texts: readonly string[]) => readonly string[]): Shown {
  return { ...honest.shown(), texts: lie(honest.texts) }
}

/** Other entries, signed consistently: only who kept a head knows. */
function signedAnew(honest: ForgedLog, lie: (texts: readonly string[]) => readonly string[]) {
  return { shown: honest.with(lie(honest.texts)).shown(), heads: [honest.head(honest.texts.length - 1)] }
}

function alter(texts: readonly string[]): readonly string[] {
  const at = joinIndex(texts)
  return texts.with(at, change(texts[at], { place: 0.25 }))
}

function swap(texts: readonly string[]): readonly string[] {
  const at = joinIndex(texts)
  return texts.with(at, texts[at + 1] ?? '').with(at + 1, texts[at] ?? '')
}

/** The price list of the log, with higher prices. */
function dearer(texts: readonly string[]): string {
  const { list = '' } = JSON.parse(texts.find((text) => kindOf(text) === 'prices') ?? '{}') as { list?: string }
  const said = JSON.parse(list) as { seatTypes: { price: number }[] }
  return JSON.stringify({ ...said, seatTypes: said.seatTypes.map((type) => ({ ...type, price: type.price + 100 })) })
}

/** A price list as an entry has it. */
function listed(list: string): { hash: string; list: string } {
  return { hash: createHash('sha256').update(list).digest('hex'), list }
}

/** Where the entry after the last one would stand. */
function last(texts: readonly string[]): { epoch: number; seq: number; at: number } {
  const { epoch, seq, at } = JSON.parse(texts.at(-1) ?? '{}') as { epoch: number; seq: number; at: number }
  return { epoch, seq: seq + 1, at }
}

/** Of the first entry of a kind. */
function changeOnly(texts: readonly string[], kind: string, what: object): readonly string[] {
  const at = texts.findIndex((text) => kindOf(text) === kind)
  return texts.with(at, change(texts[at], what))
}

/** The entries behind it move up, with the numbers that they should have had. */
function drop(texts: readonly string[]): readonly string[] {
  return texts.toSpliced(joinIndex(texts), 1)
}

function insert(texts: readonly string[]): readonly string[] {
  const at = joinIndex(texts)
  const friend = change(texts[at], { number: 999_999 })
  const later = texts.slice(at + 1).map((text) => change(text, { seq: (JSON.parse(text) as Entry).seq + 1 }))
  return [...texts.slice(0, at + 1), change(friend, { seq: (JSON.parse(friend) as Entry).seq + 1 }), ...later]
}

/** Of the second visitor: so that there is one before and one behind. */
function joinIndex(texts: readonly string[]): number {
  const first = texts.findIndex((text) => kindOf(text) === 'joined')
  return texts.findIndex((text, index) => index > first && kindOf(text) === 'joined')
}

function kindOf(text: string): string {
  return (JSON.parse(text) as Entry).kind
}

function change(text: string | undefined, what: object): string {
  return JSON.stringify({ ...(JSON.parse(text ?? '{}') as Entry), ...what })
}
