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
import { ForgedLog } from './forged-log.ts'
import type { Fraud } from './frauds.ts'
import type { ShownRun } from './judges.ts'

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
  { name: 'a draw with a code entered while waiting', conduct: { mode: 'commit', promotes: 5 } },
  { name: 'a draw by a beacon', conduct: HONEST_ROUND },
  { name: 'a draw whose round was replaced because the seal came late', conduct: REPLACED },
]

const FRAUDS: readonly { readonly name: string; readonly says: string; readonly conduct: Conduct }[] = [
  {
    name: 'a secret that does not match',
    says: 'the secret is not the one that was committed to',
    conduct: { mode: 'commit', revealed: Buffer.alloc(32, 8) },
  },
  { name: 'a draw with one pair swapped', says: 'which stood before it', conduct: { mode: 'commit', swaps: [2, 3] } },
  { name: 'a joiner left out of the seal', says: 'were sealed', conduct: { mode: 'commit', leavesOut: 4 } },
  {
    name: 'a late joiner put among the drawn',
    says: 'has a place among the drawn',
    conduct: { mode: 'commit', latePlace: 1 },
  },
  {
    name: 'a joiner who is counted in the seal, and not drawn',
    says: 'which stood before it',
    conduct: { mode: 'commit', leavesOut: 4, countsAll: true },
  },
  {
    name: 'a visitor who comes after the reveal, and gets a place among the drawn',
    says: 'has a place among the drawn',
    conduct: { mode: 'commit', latePlace: 1.5, lateAfterReveal: true },
  },
  {
    name: 'a draw announced after the first ticket',
    says: 'a draw was announced after the first ticket',
    conduct: { mode: 'commit', announcesAfter: 2 },
  },
  {
    name: 'a second draw, because the first one was not liked',
    says: 'the line was sealed twice',
    conduct: { mode: 'commit', sealsAgain: true },
  },
  {
    name: 'a visitor let in before the reveal',
    says: 'went in before the draw was revealed',
    conduct: { mode: 'commit', early: 1 },
  },
  {
    name: 'a line sealed before the sale opened',
    says: 'the line was sealed before the sale opened',
    conduct: { mode: 'commit', sealedAt: timeOfRound(ROUND) - 50_000 },
  },
  {
    name: 'the signature of another round',
    says: 'the signature is not that of round',
    conduct: { ...HONEST_ROUND, signature: OTHER_SIGNATURE },
  },
  {
    name: 'a round that is not the first after the opening',
    says: 'is not the first ten seconds after the opening',
    conduct: { ...HONEST_ROUND, opensAt: timeOfRound(ROUND) - 40_000 },
  },
  {
    name: 'a seal after the beacon’s round, and no other round',
    says: 'was there before the line was sealed',
    conduct: { ...HONEST_ROUND, sealedAt: timeOfRound(ROUND) + 1_000, revealedAt: timeOfRound(ROUND) + 2_000 },
  },
  {
    name: 'a beacon round changed after the seal, before it was there',
    says: 'was replaced before it was there',
    conduct: {
      ...REPLACED,
      redraws: [{ round: ROUND, at: timeOfRound(EARLIER) - 5_000 }],
      sealedAt: timeOfRound(EARLIER) - 9_000,
    },
  },
  {
    name: 'a beacon round changed after the seal to one that was there',
    says: 'was there already when it was announced',
    conduct: {
      ...REPLACED,
      redraws: [{ round: ROUND, at: timeOfRound(ROUND) + 1_000 }],
      revealedAt: timeOfRound(ROUND) + 2_000,
    },
  },
  {
    name: 'another commitment announced with the other round',
    says: 'another draw was announced after the first ticket',
    conduct: { ...REPLACED, redraws: [{ round: ROUND, at: timeOfRound(ROUND) - 10_000, commitment: 'ab'.repeat(32) }] },
  },
]

export function honestDraws(roomId: string): ShownRun[] {
  return HONEST.map(({ name, conduct }) => ({ name, shown: shownOf(roomId, conduct).shown }))
}

export function drawFrauds(roomId: string): Fraud[] {
  const inTime = shownOf(roomId, IN_TIME)
  const { sealedSize, log } = inTime
  const other = shownOf(roomId, { mode: 'commit' })
  return [
    ...FRAUDS.map(({ name, says, conduct }) => ({ name, says, shown: shownOf(roomId, conduct).shown })),
    {
      name: 'a round replaced although a head had covered the seal in time',
      says: 'a head covered the seal before round',
      shown: inTime.shown,
      heads: [keptAt(log.head(sealedSize + 1), timeOfRound(EARLIER) - 8_000)],
    },
    {
      name: 'a summary that tells of another draw than the log',
      says: 'The server says of its draw another',
      shown: { ...other.shown, draw: { ...other.shown.draw, seed: '00'.repeat(32), secret: '00'.repeat(32) } },
    },
  ]
}

function shownOf(roomId: string, conduct: Conduct) {
  const { texts, sealedSize } = drawnLog(roomId, conduct)
  const log = new ForgedLog(texts, roomId)
  return { shown: { ...log.shown(), draw: drawSummary(texts) }, log, sealedSize }
}
