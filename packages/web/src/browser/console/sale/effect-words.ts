import type { Preview, Pulse } from '../kit/answers.ts'
import { formatDuration } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'

/** The effect of a change in sentences: "The last visitor waits 14 instead of 21 minutes." */
export function sayEffect(
  { waiting, before, after, limitedBy }: Preview,
  now: Pulse,
  { ratePerMinute, capacity }: { ratePerMinute?: number; capacity?: number },
): string[] {
  const says = words.controls
  if (limitedBy === 'paused') return [says.effectStop]
  if (waiting === 0) return [says.effectEmpty]
  if (after === null) return [says.effectUnknown]
  const then = formatDuration(after.p50)
  const sentences =
    before === null
      ? [tell(says.effectGo, { after: then })]
      : formatDuration(before.p50) === then
        ? [tell(says.effectSame, { after: then })]
        : [tell(says.effect, { before: formatDuration(before.p50), after: then })]
  // Tell an operator who changes the limit that does not bind.
  const turnedRate = ratePerMinute !== undefined && ratePerMinute > now.settings.ratePerMinute
  const turnedCapacity = capacity !== undefined && capacity > now.settings.capacity
  if (limitedBy === 'capacity' && turnedRate && !turnedCapacity) sentences.push(says.limitedByCapacity)
  if (limitedBy === 'rate' && turnedCapacity && !turnedRate) sentences.push(says.limitedByRate)
  return sentences
}
