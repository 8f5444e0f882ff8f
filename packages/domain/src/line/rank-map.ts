/**
 * The rank map: a few points of (place, rank) from which every visitor's position follows by interpolation, so that a
 * million polls cost the store as much as one.
 *
 * Its error is at most max(1, 2 % of the rank). Half of that is spent on sampling: a line of a million is sampled at
 * about a thousand ranks, close together near the head, where the exact rank matters. The other half is spent on leaving out
 * every sample that the remaining points predict well enough; a line without much churn is nearly straight.
 */
export type RankMap = readonly (readonly [place: number, rank: number])[]

export interface RankSample {
  place: number
  rank: number
}

/** Up to this rank every ticket is sampled. */
const EVERY_RANK_TO = 100

/** The ranks to sample in a line of `count` tickets: neighbours lie at most max(1, 1 %) apart, ends included. */
export function rankMapRanks(count: number): number[] {
  const ranks: number[] = []
  for (let rank = 0; rank < count - 1; rank += sampleGap(rank)) ranks.push(rank)
  if (count > 0) ranks.push(count - 1)
  return ranks
}

/** Keeps the fewest samples that predict all the others within the tolerance. Samples ascend by place and rank. */
export function buildRankMap(samples: readonly RankSample[]): RankMap {
  const map: [number, number][] = []
  let from = 0
  while (from < samples.length) {
    const anchor = sampleAt(samples, from)
    map.push([anchor.place, anchor.rank])
    if (from === samples.length - 1) break
    from = farthestPredictable(samples, from)
  }
  return map
}

/** The rank of a place. Places before the first point are at the head, places after the last at the back. */
export function rankAt(map: RankMap, place: number): number {
  const first = map[0]
  const last = map.at(-1)
  if (first === undefined || last === undefined || place <= first[0]) return 0
  if (place >= last[0]) return place === last[0] ? last[1] : last[1] + 1
  let low = 0
  let high = map.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((map[middle]?.[0] ?? 0) <= place) low = middle
    else high = middle
  }
  const [lowPlace, lowRank] = map[low] ?? first
  const [highPlace, highRank] = map[high] ?? last
  return Math.round(interpolate(lowPlace, lowRank, highPlace, highRank, place))
}

/** The error that a rank read from the map may have. */
export function rankMapError(rank: number): number {
  return Math.max(1, rank * 0.02)
}

function sampleGap(rank: number): number {
  return Math.max(1, Math.floor(rank / EVERY_RANK_TO))
}

/**
 * What leaving out samples may add. Below rank 200 every ticket is a sample and ranks are whole numbers, so anything
 * below 1.5 rounds to an error of at most 1. Above, sampling may err by 1 % of the rank and rounding by a half.
 */
function tolerance(rank: number): number {
  return rank < 2 * EVERY_RANK_TO ? 1.4 : rank * 0.0099 - 0.5
}

/**
 * The last sample that a straight line from `from` reaches without missing any sample between by more than the
 * tolerance: the classic shrinking cone, one pass for each segment.
 */
function farthestPredictable(samples: readonly RankSample[], from: number): number {
  const anchor = sampleAt(samples, from)
  let lowestSlope = 0
  let highestSlope = Number.POSITIVE_INFINITY
  let reached = from + 1
  for (let index = from + 1; index < samples.length; index++) {
    const sample = sampleAt(samples, index)
    const distance = sample.place - anchor.place
    const rise = sample.rank - anchor.rank
    // Tickets with the same place differ in rank only by their number; no straight line can separate them.
    if (distance === 0) {
      if (rise > tolerance(sample.rank)) break
      continue
    }
    const slope = rise / distance
    if (slope >= lowestSlope && slope <= highestSlope) reached = index
    lowestSlope = Math.max(lowestSlope, (rise - tolerance(sample.rank)) / distance)
    highestSlope = Math.min(highestSlope, (rise + tolerance(sample.rank)) / distance)
    if (lowestSlope > highestSlope) break
  }
  return reached
}

function interpolate(lowPlace: number, lowRank: number, highPlace: number, highRank: number, place: number): number {
  if (highPlace === lowPlace) return lowRank
  return lowRank + ((place - lowPlace) / (highPlace - lowPlace)) * (highRank - lowRank)
}

function sampleAt(samples: readonly RankSample[], index: number): RankSample {
  const sample = samples[index]
  if (sample === undefined) throw new RangeError(`There is no sample ${index} of ${samples.length}`)
  return sample
}
