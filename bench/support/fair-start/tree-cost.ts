import type { Defect } from '../../../tests/planted/defect.ts'
import { TreeCopy } from '../../../tests/planted/tree-copy.ts'
import { driveJoins, joinUrl } from '../../core/line-figures.ts'
import { type Subject, startSubject } from '../../core/subject.ts'
import { openSale } from '../box-office/sale.ts'

const CONNECTIONS = 100
const SECONDS = 2
const WARM_UP_ROUNDS = 2
/** More rounds than elsewhere: a difference of a twentieth is to be seen. */
const ROUNDS = 11

/**
 * What the log's tree costs a rush: a copy of this checkout in which no entry is appended to a tree and no head is signed. The
 * product has no switch for that. An edit that no longer applies ends the run.
 */
const WITHOUT_TREE: readonly Pick<Defect, 'file' | 'edits'>[] = [
  {
    file: 'packages/ledger/src/rooms/log/copy-log.ts',
    edits: [{ from: 'if (row.tree_size !== row.first_index + row.seq) return', to: 'if (texts.length > 0) return' }],
  },
  {
    file: 'packages/server/src/rooms/transparency/room-heads.ts',
    edits: [
      {
        from: 'let tree = await readTree(ledger.db, room)',
        to: "if (room !== '') return\n    let tree = await readTree(ledger.db, room)",
      },
    ],
  },
]

export interface TreeCost {
  readonly withTree: JoinRounds
  readonly without: JoinRounds
}

/** Of each round: joins a second, and what one took of server and stores together until they were idle again. */
export interface JoinRounds {
  readonly perSecond: number[]
  readonly micros: number[]
}

/** Joins with and without the tree, in turns, each on stores of its own. */
export async function measureTreeCost(stack: AsyncDisposableStack, own: Subject): Promise<TreeCost> {
  const copy = await TreeCopy.make()
  stack.defer(() => copy.remove())
  for (const edits of WITHOUT_TREE) copy.change({ name: 'without-tree', ...edits })
  const bare = await startSubject(stack, 'without the tree', copy.folder)
  const cost: TreeCost = { withTree: { perSecond: [], micros: [] }, without: { perSecond: [], micros: [] } }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    // Each begins every other round: what the machine does meanwhile favours neither.
    const turns = round % 2 === 0 ? [own, bare] : [bare, own]
    for (const subject of turns) {
      const url = joinUrl(subject, (await openSale(subject)).eventId)
      const { answers, perSecond, cpu } = await driveJoins(subject, url, CONNECTIONS, SECONDS)
      if (round < 0) continue
      const rounds = subject === own ? cost.withTree : cost.without
      rounds.perSecond.push(perSecond)
      rounds.micros.push(((cpu.server + cpu.redis + cpu.postgres) * 1e6) / answers)
    }
  }
  return cost
}
