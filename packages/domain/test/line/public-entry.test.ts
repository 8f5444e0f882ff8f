import { deepEqual, equal } from 'node:assert/strict'
import { it } from 'vitest'
import { type Change, publicEntry, ROOM_DEFAULTS } from '../../src/index.ts'

const HEX = 'ab'.repeat(32)

/**
 * One entry of each kind, with the text that heads were signed over. A text in this list never changes, or logs that were signed
 * do not verify any more; new fields are only added where the stored entry has them.
 */
const TEXTS: { readonly [Kind in Change['kind']]: readonly [Extract<Change, { kind: Kind }>, string][] } = {
  opened: [
    [
      {
        ...{ kind: 'opened', reason: 'opened', nextNumber: 1, waiting: 0, floor: 0 },
        rules: {
          settings: { ...ROOM_DEFAULTS },
          ...{ paused: false, soldOut: false, opensAt: 1, closesAt: 2, stock: null },
        },
      },
      `"reason":"opened","nextNumber":1,"waiting":0,"floor":0,"rules":{"closesAt":2,"opensAt":1,"paused":false,"settings":${JSON.stringify(
        Object.fromEntries(Object.entries(ROOM_DEFAULTS).sort(([a], [b]) => (a < b ? -1 : 1))),
      )},"soldOut":false,"stock":null}`,
    ],
  ],
  joined: [
    [joined(null), '"number":7,"class":0,"place":7.5,"rank":6'],
    [joined(HEX), `"number":7,"class":0,"place":7.5,"rank":6,"code":"${HEX}"`],
  ],
  restored: [
    [
      {
        ...{ kind: 'restored', number: 7, identity: 'secret', class: 1, place: 7, rank: 6 },
        ...{ generation: 1, joinedAt: 5, fromEpoch: 1 },
      },
      '"number":7,"class":1,"place":7,"rank":6,"from":1',
    ],
  ],
  admitted: [
    [admitted({}), '"number":7,"class":0,"fence":3,"deadline":9'],
    [admitted({ by: 'operator' }), '"number":7,"class":0,"fence":3,"deadline":9,"by":"operator"'],
  ],
  entered: [[{ kind: 'entered', number: 7, deadline: 9 }, '"number":7,"deadline":9']],
  completed: [[{ kind: 'completed', number: 7 }, '"number":7']],
  expired: [
    [
      { kind: 'expired', numbers: [7, 8], reason: 'timeout', ranks: null },
      '"numbers":[7,8],"reason":"timeout","ranks":null',
    ],
  ],
  away: [[{ kind: 'away', numbers: [7], ranks: [0] }, '"numbers":[7],"ranks":[0]']],
  back: [[{ kind: 'back', numbers: [7], ranks: [0] }, '"numbers":[7],"ranks":[0]']],
  attended: [[{ kind: 'attended', unattendedSince: 4 }, '"unattendedSince":4']],
  extended: [[{ kind: 'extended', number: 7, deadline: 9, sessionEnd: 8 }, '"number":7,"deadline":9']],
  moved: [[{ kind: 'moved', number: 7, generation: 2, fence: null }, '"number":7,"generation":2,"fence":null']],
  adopted: [[{ kind: 'adopted', number: 7, identity: 'secret', userId: 'secret' }, '"number":7']],
  reserved: [[{ kind: 'reserved', numbers: [7], deadline: 9, quantity: 2 }, '"numbers":[7],"deadline":9,"quantity":2']],
  corrected: [
    [
      {
        ...{ kind: 'corrected', number: 7, from: 'waiting', state: 'active' },
        ...{ fence: 3, deadline: 9, sessionEnd: 8, quantity: 1 },
      },
      '"number":7,"from":"waiting","state":"active","fence":3,"deadline":9,"sessionEnd":8,"quantity":1',
    ],
  ],
  changed: [
    [
      { kind: 'changed', by: 'secret', settings: { ratePerMinute: 9, capacity: 3 }, paused: true },
      '"paused":true,"settings":{"capacity":3,"ratePerMinute":9}',
    ],
  ],
  classed: [
    [
      { kind: 'classed', number: 7, class: 2, code: HEX, place: 2.5, rank: 1, fromRank: 4 },
      `"number":7,"class":2,"code":"${HEX}","place":2.5,"rank":1,"fromRank":4`,
    ],
  ],
  grouped: [
    [
      { kind: 'grouped', number: 9, members: [7, 9], merged: 7, fromRank: 3, left: null },
      '"number":9,"members":[7,9],"merged":7,"fromRank":3,"left":null',
    ],
  ],
  codes: [[{ kind: 'codes', hashes: [HEX], class: 1 }, `"class":1,"hashes":["${HEX}"]`]],
  prices: [[{ kind: 'prices', hash: HEX, list: '{}' }, `"hash":"${HEX}","list":"{}"`]],
  draw: [
    [{ kind: 'draw', mode: 'commit', commitment: HEX }, `"commitment":"${HEX}","mode":"commit"`],
    [
      { kind: 'draw', mode: 'drand', commitment: HEX, chain: '52db', round: 123 },
      `"chain":"52db","commitment":"${HEX}","mode":"drand","round":123`,
    ],
  ],
  sealed: [[{ kind: 'sealed', nextNumber: 4, count: 2 }, '"count":2,"nextNumber":4']],
  revealed: [
    [{ kind: 'revealed', secret: HEX }, `"secret":"${HEX}"`],
    [{ kind: 'revealed', secret: HEX, signature: 'b75c' }, `"secret":"${HEX}","signature":"b75c"`],
  ],
}

function joined(code: string | null): Extract<Change, { kind: 'joined' }> {
  return {
    ...{ kind: 'joined', number: 7, identity: 'secret', class: 0, place: 7.5, rank: 6, code },
    ...{ limitKey: 'secret', shown: { name: 'secret', avatar: null }, profile: '{"name":"secret"}' },
  }
}

function admitted(by: { by?: 'operator' }): Extract<Change, { kind: 'admitted' }> {
  return { kind: 'admitted', number: 7, class: 0, fence: 3, deadline: 9, active: false, ...by }
}

it('[N4] the public text of every kind of entry is what it always was, without anything that identifies a visitor', () => {
  const entries = Object.values<readonly [Change, string][]>(TEXTS).flat()
  for (const [change, details] of entries) {
    const text = JSON.stringify(publicEntry({ epoch: 1, seq: 2, at: 3, operation: 'secret', change }))
    const comma = details === '' ? '' : ','
    equal(text, `{"epoch":1,"seq":2,"at":3,"kind":"${change.kind}"${comma}${details}}`)
    equal(text.includes('secret":"secret') || text.includes(':"secret'), false, text)
  }
  deepEqual(new Set(entries.map(([{ kind }]) => kind)), new Set(Object.keys(TEXTS)))
})
