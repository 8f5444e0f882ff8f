import type { HeadJson } from '@seatwise/testbench'
import {
  type Conduct,
  drawnLog,
  drawSummary,
  HONEST_ROUND,
  keptAt,
  OTHER_SIGNATURE,
  ROUND,
  timeOfRound,
} from './drawn-log.ts'
import { ForgedLog, type Shown } from './forged-log.ts'

/** What a server shows of a drawn line, and the heads that a witness kept. */
export interface DrawnRun {
  readonly name: string
  readonly shown: Shown
  readonly heads?: readonly HeadJson[]
}

/** A round that was announced for a sale that opened half a minute earlier; the one after it is the recorded one. */
const EARLIER = ROUND - 10
/** The seal came so late that the earlier round was there, and another was announced: the recorded one. */
const REPLACED: Conduct = {
  ...HONEST_ROUND,
  round: EARLIER,
  opensAt: timeOfRound(EARLIER) - 10_000,
  sealedAt: timeOfRound(EARLIER) + 3_000,
  redraws: [{ round: ROUND, at: timeOfRound(ROUND) - 10_000 }],
}
/** The seal was in time, and yet the operator asks for another round. */
const IN_TIME: Conduct = { ...REPLACED, sealedAt: timeOfRound(EARLIER) - 9_000 }

const HONEST: readonly { readonly name: string; readonly conduct: Conduct }[] = [
  { name: 'a draw by a secret', conduct: { mode: 'commit' } },
  { name: 'a draw by a beacon', conduct: HONEST_ROUND },
  { name: 'a draw whose round was replaced because the seal came late', conduct: REPLACED },
]

const FRAUDS: readonly { readonly name: string; readonly conduct: Conduct }[] = [
  { name: 'a secret that does not match', conduct: { mode: 'commit', revealed: Buffer.alloc(32, 8) } },
  { name: 'a draw with one pair swapped', conduct: { mode: 'commit', swaps: [2, 3] } },
  { name: 'a joiner left out of the seal', conduct: { mode: 'commit', leavesOut: 4 } },
  { name: 'a late joiner put among the drawn', conduct: { mode: 'commit', latePlace: 1 } },
  { name: 'a visitor let in before the reveal', conduct: { mode: 'commit', early: 1 } },
  { name: 'a line sealed before the sale opened', conduct: { mode: 'commit', sealedAt: timeOfRound(ROUND) - 50_000 } },
  { name: 'the signature of another round', conduct: { ...HONEST_ROUND, signature: OTHER_SIGNATURE } },
  {
    name: 'a round that is not the first after the opening',
    conduct: { ...HONEST_ROUND, opensAt: timeOfRound(ROUND) - 40_000 },
  },
  {
    name: 'a seal after the beacon’s round, and no other round',
    conduct: { ...HONEST_ROUND, sealedAt: timeOfRound(ROUND) + 1_000, revealedAt: timeOfRound(ROUND) + 2_000 },
  },
  {
    name: 'a beacon round changed after the seal, before it was there',
    conduct: {
      ...REPLACED,
      redraws: [{ round: ROUND, at: timeOfRound(EARLIER) - 5_000 }],
      sealedAt: timeOfRound(EARLIER) - 9_000,
    },
  },
  {
    name: 'a beacon round changed after the seal to one that was there',
    conduct: {
      ...REPLACED,
      redraws: [{ round: ROUND, at: timeOfRound(ROUND) + 1_000 }],
      revealedAt: timeOfRound(ROUND) + 2_000,
    },
  },
  {
    name: 'another commitment announced with the other round',
    conduct: { ...REPLACED, redraws: [{ round: ROUND, at: timeOfRound(ROUND) - 10_000, commitment: 'ab'.repeat(32) }] },
  },
]

export function honestDraws(roomId: string): DrawnRun[] {
  return HONEST.map(({ name, conduct }) => ({ name, ...shownOf(roomId, conduct) }))
}

export function drawFrauds(roomId: string): DrawnRun[] {
  const inTime = shownOf(roomId, IN_TIME)
  const { sealedSize, log } = inTime
  const other = shownOf(roomId, { mode: 'commit' })
  return [
    ...FRAUDS.map(({ name, conduct }) => ({ name, ...shownOf(roomId, conduct) })),
    {
      name: 'a round replaced although a head had covered the seal in time',
      shown: inTime.shown,
      heads: [keptAt(log.head(sealedSize + 1), timeOfRound(EARLIER) - 8_000)],
    },
    {
      name: 'a summary that tells of another draw than the log',
      shown: { ...other.shown, draw: { ...other.shown.draw, seed: '00'.repeat(32), secret: '00'.repeat(32) } },
    },
  ]
}

function shownOf(roomId: string, conduct: Conduct) {
  const { texts, sealedSize } = drawnLog(roomId, conduct)
  const log = new ForgedLog(texts, roomId)
  return { shown: { ...log.shown(), draw: drawSummary(texts) }, log, sealedSize }
}
