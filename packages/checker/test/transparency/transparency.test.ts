import { createHash, createHmac, randomBytes } from 'node:crypto'
import { extendsHead, isIncluded as isIncludedByRfc, leafOf, pathOf, proofOf, rootOf } from '@seatwise/testbench'
import { describe, expect, it } from 'vitest'
import { GrowingTree, isExtension, isIncluded } from '../../src/transparency/merkle.ts'
import { OrderRules, type PublicEntry } from '../../src/transparency/order-rules.ts'
import { sha256, toHex, utf8 } from '../../src/transparency/sha256.ts'

const SIZE = 41
const TEXTS = Array.from({ length: SIZE }, (_, index) => `entry ${index}`)
const LEAVES = TEXTS.map(leafOf)

describe('the checker’s own hashing', () => {
  it('[N12] is SHA-256 for messages of every length around a block', () => {
    expect(toHex(sha256(utf8('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    for (let length = 0; length < 200; length += 1) {
      const message = randomBytes(length)
      expect(toHex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
    }
  })

  it('[N12] has the roots of the RFC’s tree, and judges proofs as its algorithms do', () => {
    const tree = new GrowingTree()
    expect(tree.root).toBe(rootOf([]))
    for (const [index, text] of TEXTS.entries()) {
      tree.append(text)
      expect(tree.root).toBe(rootOf(LEAVES.slice(0, index + 1)))
    }
    for (let size = 1; size <= SIZE; size += 1) {
      const to = { size, root: rootOf(LEAVES.slice(0, size)) }
      for (let from = 1; from <= size; from += 1) {
        const before = { size: from, root: rootOf(LEAVES.slice(0, from)) }
        const proof = proofOf(from, LEAVES.slice(0, size))
        const path = pathOf(from - 1, LEAVES.slice(0, size))
        expect(isExtension(before, to, proof)).toBe(true)
        expect(isIncluded(TEXTS[from - 1] ?? '', from - 1, to, path)).toBe(true)
        const other = { size: from, root: rootOf([...LEAVES.slice(0, from - 1), leafOf('other')]) }
        expect(isExtension(other, to, proof)).toBe(extendsHead(other, to, proof))
        expect(isExtension(other, to, proof)).toBe(false)
        expect(isIncluded('other', from - 1, to, path)).toBe(false)
        expect(isIncludedByRfc(leafOf('other'), from - 1, size, path, to.root)).toBe(false)
        expect(isExtension(before, to, [...proof, to.root])).toBe(false)
      }
    }
  })
})

describe('the order of the line', () => {
  const judge = (entries: readonly Omit<PublicEntry, 'epoch' | 'seq' | 'at'>[]) => {
    const problems: string[] = []
    const rules = new OrderRules('room', (index, problem) => problems.push(`${index} ${problem}`))
    const opened = { kind: 'opened', reason: 'opened' }
    for (const [index, entry] of [opened, ...entries].entries()) {
      rules.see({ epoch: 1, seq: index + 1, at: index, ...entry } as PublicEntry, () => '')
    }
    return problems
  }
  const joined = (number: number, more: object = {}) => ({ kind: 'joined', number, class: 0, place: number, ...more })
  const admitted = (number: number) => ({ kind: 'admitted', number })

  it('[N13] the first who is present goes in; who is away or has left is passed over', () => {
    const three = [joined(1), joined(2), joined(3)]
    expect(judge([...three, admitted(1), admitted(2), admitted(3)])).toEqual([])
    expect(judge([...three, admitted(2)])).toEqual(['4 ticket 2 went in before 1, which stood before it'])
    expect(judge([...three, { kind: 'away', numbers: [1] }, { kind: 'expired', numbers: [2] }, admitted(3)])).toEqual(
      [],
    )
    const away = [{ kind: 'away', numbers: [1] }, admitted(2), { kind: 'back', numbers: [1] }]
    expect(judge([...three, ...away, admitted(1), admitted(3)])).toEqual([])
    expect(judge([...three, ...away, admitted(3)])).toEqual(['7 ticket 3 went in before 1, which stood before it'])
  })

  it('[N13] a ticket that a rebuild corrected does not wait any more', () => {
    const corrected = { kind: 'corrected', number: 1, from: 'waiting', state: 'completed' }
    expect(judge([joined(1), joined(2), corrected, admitted(2)])).toEqual([])
    expect(judge([joined(1), joined(2), admitted(2)])).toHaveLength(1)
  })

  it('[N13] a drawn line goes in in the order that its seed gives, and nobody between seal and reveal', () => {
    const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
    const secret = Buffer.alloc(32, 7)
    // The tests' root before each entry is empty.
    const seed = sha(secret)
    const lot = (number: number) => createHmac('sha256', seed).update(`room:${number}`).digest('hex')
    const drawn = [1, 2, 3, 4, 5, 6].sort((one, other) => (lot(one) < lot(other) ? -1 : 1))
    const line = drawn.toSorted().map((number) => joined(number, { place: number }))
    const draw = { kind: 'draw', mode: 'commit', commitment: sha(secret).toString('hex') }
    const opening = [draw, ...line, { kind: 'sealed' }, { kind: 'revealed', secret: secret.toString('hex') }]
    expect(judge([...opening, ...drawn.map(admitted)])).toEqual([])
    expect(judge([...opening, ...drawn.toReversed().map(admitted)])).not.toEqual([])
    const early = judge([...opening.slice(0, -1), admitted(drawn[0] ?? 0)])
    expect(early).toContain(`9 ticket ${drawn[0]} went in before the draw was revealed`)
    const other = { kind: 'revealed', secret: Buffer.alloc(32, 8).toString('hex') }
    expect(judge([...opening.slice(0, -1), other])).toEqual(['9 the secret is not the one that was committed to'])
  })

  it('[N13] a class above normal needs a code that was made for it, once; classes go in each by itself', () => {
    const made = { kind: 'codes', class: 2, hashes: ['one', 'two'] }
    const first = joined(2, { class: 2, place: 0.5, code: 'one' })
    expect(judge([made, joined(1), first, admitted(2), admitted(1)])).toEqual([])
    expect(judge([made, joined(1), admitted(1), first])).toEqual([])
    expect(judge([joined(1, { class: 2 })])).toEqual(['1 ticket 1 has class 2 without a code'])
    expect(judge([made, first, joined(3, { class: 2, code: 'one' })])).toHaveLength(1)
    expect(judge([made, joined(3, { class: 1, code: 'two' })])).toHaveLength(1)
    expect(judge([joined(1, { class: 2, code: 'one' })]), 'no code was made').toHaveLength(1)
  })

  it('[N13] [J64] a code moves a ticket that waits forward into the line of its class, and nothing else does', () => {
    const made = { kind: 'codes', class: 2, hashes: ['one', 'two'] }
    const line = [made, joined(1), joined(2), joined(3)]
    const classed = (number: number, what: object = {}) => ({
      ...{ kind: 'classed', number, class: 2, code: 'one', place: 0.5 },
      ...what,
    })
    expect(judge([...line, classed(3), admitted(3), admitted(1), admitted(2)])).toEqual([])
    expect(judge([...line, admitted(3)])).toEqual(['5 ticket 3 went in before 1, which stood before it'])
    expect(judge([...line, classed(3, { code: 'three' })])).toHaveLength(1)
    expect(judge([...line, classed(3, { class: 3 })]), 'a class that the code has not').toHaveLength(1)
    expect(judge([...line, classed(3), classed(2)]), 'twice').toHaveLength(1)
    expect(judge([...line, classed(3, { place: 9 })])).toEqual(['5 ticket 3 was moved back'])
    expect(judge([...line, admitted(1), classed(1)])).toEqual(['6 ticket 1 has a class and does not wait'])
  })

  it('[R143] two tickets that wait become one at the later place, and no group stands ahead of a ticket it took in', () => {
    const line = [joined(1), joined(2), joined(3)]
    const grouped = (number: number, merged: number) => ({
      ...{ kind: 'grouped', number, members: [merged, number], merged, fromRank: 0, left: null },
    })
    const left = { kind: 'grouped', number: 3, members: [3], merged: null, fromRank: null, left: 1 }
    expect(judge([...line, grouped(3, 1), admitted(2), admitted(3)])).toEqual([])
    expect(judge([...line, grouped(3, 1), left, admitted(2), admitted(3)])).toEqual([])
    expect(judge([...line, grouped(1, 3)])).toEqual(['4 ticket 3 joined a group that stood before it, 1'])
    expect(judge([...line, admitted(1), grouped(3, 1)])).toEqual(['5 tickets 1 and 3 do not both wait'])
    expect(judge([...line, grouped(3, 1), admitted(1)])).toEqual(['5 ticket 1 went in beside its group'])
  })

  it('[N13] numbers go up, entries follow each other', () => {
    expect(judge([joined(2), joined(1)])).toEqual(['2 ticket 1 was drawn after 2'])
    expect(judge([admitted(7)])).toEqual(['1 ticket 7 was never drawn'])
    expect(judge([joined(1, { seq: 5 })])).toEqual(['1 1-5 follows 1-1'])
    expect(judge([joined(1, { at: -1 })])).toEqual(['1 it is older than the entry before it'])
  })
})
