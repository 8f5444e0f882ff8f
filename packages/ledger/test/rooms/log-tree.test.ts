import { deepEqual, equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { forEachLedger } from '@seatwise/testbench'
import { it } from 'vitest'
import { beginEpoch, catchUpTree, copyLog, type Ledger, LogTree, readAudit, treeBefore } from '../../src/index.ts'
import { joined, log, newRoom } from './log-kit.ts'

/** The RFC's definition, over the texts that the audit serves. */
function naiveRoot(texts: readonly string[]): Buffer {
  const [only] = texts
  if (only === undefined) return createHash('sha256').digest()
  if (texts.length === 1)
    return createHash('sha256')
      .update(Buffer.from([0]))
      .update(only)
      .digest()
  const split = 2 ** Math.ceil(Math.log2(texts.length) - 1)
  const parts = [Buffer.from([1]), naiveRoot(texts.slice(0, split)), naiveRoot(texts.slice(split))]
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex')

async function textsOf(ledger: Ledger, room: string): Promise<string[]> {
  return (await readAudit(ledger.db, room, { epoch: 0, seq: 0 }, 10_000)).map(({ canonical }) => canonical)
}

async function treeRow(ledger: Ledger, room: string) {
  return await ledger.db
    .selectFrom('rooms')
    .select(['tree_size', 'tree_peaks'])
    .where('id', '=', room)
    .executeTakeFirstOrThrow()
}

/** Joins of one epoch in batches, beginning with its first entry. */
async function grow(ledger: Ledger, room: string, { epoch, batches }: { epoch: number; batches: readonly number[] }) {
  let seq = 1
  for (const size of batches) {
    const changes = Array.from({ length: seq === 1 ? size - 1 : size }, (_, index) => {
      const number = epoch * 10_000 + seq + index
      return { ...joined(number), identity: `identity-${number}` }
    })
    const entries = log(seq, changes).map((entry) => ({ ...entry, epoch }))
    deepEqual(await copyLog(ledger, room, entries), { status: 'copied', seq: seq + size - 1 })
    seq += size
  }
}

forEachLedger('the tree of a room’s log', (open) => {
  let opened: Promise<Ledger> | undefined
  const openOnce = () => {
    opened ??= open()
    return opened
  }

  it('[N2] is over all entries, batches and epochs, with root and proofs for every size', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    await grow(ledger, room, { epoch: 1, batches: [1, 70, 3, 129] })
    await beginEpoch(ledger.db, { room, lostEpoch: 1, reason: 'lost', unseenMax: 10 })
    // Nothing was copied of this epoch.
    await beginEpoch(ledger.db, { room, lostEpoch: 2, reason: 'lost', unseenMax: 10 })
    await grow(ledger, room, { epoch: 3, batches: [50, 40] })
    const texts = await textsOf(ledger, room)
    equal(texts.length, 293)
    equal((await treeRow(ledger, room)).tree_size, 293)
    const tree = new LogTree(ledger.db, room)
    for (const size of [0, 1, 63, 64, 65, 128, 202, 203, 204, 256, 257, 293]) {
      equal(hex(await tree.rootAt(size)), hex(naiveRoot(texts.slice(0, size))), `size ${size}`)
    }
    // The last leaf, and a small proof: a leaf beside it and the rest of the tree.
    deepEqual((await tree.inclusionProof(1, 2)).map(hex), [hex(naiveRoot(texts.slice(0, 1)))])
    deepEqual((await tree.consistencyProof(256, 293)).map(hex), [hex(naiveRoot(texts.slice(256)))])
    equal((await tree.inclusionProof(100, 293)).length, 9)
  })

  it('[N2] tells size and root right before an entry, once the ledger has what comes before it', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    await grow(ledger, room, { epoch: 1, batches: [80] })
    await beginEpoch(ledger.db, { room, lostEpoch: 1, reason: 'lost', unseenMax: 10 })
    await grow(ledger, room, { epoch: 2, batches: [20] })
    const texts = await textsOf(ledger, room)
    const rootOf = (size: number) => ({ size, root: hex(naiveRoot(texts.slice(0, size))) })
    deepEqual(await treeBefore(ledger.db, room, { epoch: 1, seq: 1 }), rootOf(0))
    deepEqual(await treeBefore(ledger.db, room, { epoch: 1, seq: 71 }), rootOf(70))
    deepEqual(await treeBefore(ledger.db, room, { epoch: 2, seq: 1 }), rootOf(80))
    deepEqual(await treeBefore(ledger.db, room, { epoch: 2, seq: 21 }), rootOf(100))
    equal(await treeBefore(ledger.db, room, { epoch: 2, seq: 22 }), null)
    equal(await treeBefore(ledger.db, room, { epoch: 3, seq: 1 }), null)
  })

  it('[N3] a log from before there were trees is caught up with in steps, while copying goes on', async () => {
    const { ledger, room } = await newRoom(await openOnce())
    await grow(ledger, room, { epoch: 1, batches: [2_100] })
    const grown = await treeRow(ledger, room)
    await ledger.db.deleteFrom('log_nodes').where('room_id', '=', room).execute()
    const none = { tree_size: 0, tree_peaks: Buffer.alloc(0) }
    await ledger.db.updateTable('rooms').set(none).where('id', '=', room).execute()
    equal(await treeBefore(ledger.db, room, { epoch: 1, seq: 2 }), null)
    equal(await catchUpTree(ledger, room), false)
    await copyLog(ledger, room, log(2_101, [{ ...joined(9_000), identity: 'identity-late' }]))
    equal((await treeRow(ledger, room)).tree_size, 2_000, 'copying leaves a tree that is behind alone')
    equal(await catchUpTree(ledger, room), true)
    equal(await catchUpTree(ledger, room), true)
    const texts = await textsOf(ledger, room)
    equal(hex(await new LogTree(ledger.db, room).rootAt(2_101)), hex(naiveRoot(texts)))
    equal(hex(await new LogTree(ledger.db, room).rootAt(2_100)), hex(naiveRoot(texts.slice(0, 2_100))))
    equal(grown.tree_size, 2_100)
  })
})
