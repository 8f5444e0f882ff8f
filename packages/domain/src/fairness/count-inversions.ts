/**
 * How many pairs are in the wrong order: a larger value before a smaller one. A merge sort counts them in O(n log n), so that a
 * sale with a million visitors takes a fraction of a second. The values are not changed.
 */
export function countInversions(values: ArrayLike<number>): number {
  let from = Float64Array.from(values)
  let to = new Float64Array(from.length)
  let inversions = 0
  for (let width = 1; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) inversions += merge(from, to, start, width)
    const sorted = to
    to = from
    from = sorted
  }
  return inversions
}

/** Merges two sorted neighbours of `width` values. A value from the right overtakes all that remain on the left. */
function merge(from: Float64Array, to: Float64Array, start: number, width: number): number {
  const middle = Math.min(start + width, from.length)
  const end = Math.min(start + 2 * width, from.length)
  let left = start
  let right = middle
  let inversions = 0
  for (let at = start; at < end; at += 1) {
    const isLeftNext = left < middle && (right >= end || (from[left] ?? 0) <= (from[right] ?? 0))
    if (!isLeftNext) inversions += middle - left
    to[at] = from[isLeftNext ? left++ : right++] ?? 0
  }
  return inversions
}
