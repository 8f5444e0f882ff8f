export { answerTogether } from './answer-together.ts'
export { type BufferSizes, measureBuffers } from './buffers.ts'
export { sendTable } from './csv.ts'
export { DeadlinePassed, withDeadline } from './deadline.ts'
export { discardBody } from './discard-body.ts'
export {
  type Document,
  goesCompressed,
  makeDocument,
  sendCompressed,
  sendDocument,
  sendOwnDocument,
  tellStale,
} from './document.ts'
export { escapeHtml } from './escape-html.ts'
export { formatInstant } from './format.ts'
export { isLoopback } from './is-loopback.ts'
export { NumberSet } from './number-set.ts'
export { Pulse } from './pulse.ts'
export { type Copy, type Load, ReadCache, tellAge } from './read-cache.ts'
export { readGently } from './read-gently.ts'
export { RecentMap } from './recent-map.ts'
export { createRefresher } from './refresher.ts'
export { type Repeater, repeat } from './repeat.ts'
export { retrySeconds } from './retry-delay.ts'
export { eachAlone, type Round, Rounds } from './rounds.ts'
export { createTextReader } from './text-values.ts'
export { inside, traced, tracedMethods } from './traced.ts'
export { createTurnstile } from './turnstile.ts'
export { isUuid } from './uuid.ts'
export { waitMs } from './wait-ms.ts'
