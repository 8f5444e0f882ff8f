import type { Challenge } from '../types.ts'
import { prepareTrial } from './hashes.ts'

/** Short enough that a page still moves in between. */
const SLICE = 4_000

/**
 * Solves a challenge and returns the proof as joining takes it. Lets other work run in between; `tell` hears which part of
 * the numbers was tried. Throws where there is no solution.
 */
export async function solveChallenge(challenge: Challenge, tell: (part: number) => void = () => {}): Promise<string> {
  const { algorithm, salt, signature, maxnumber } = challenge
  const tryNumbers = prepareTrial(salt, challenge.challenge)
  for (let from = 0; from <= maxnumber; from += SLICE) {
    const number = tryNumbers(from, Math.min(from + SLICE, maxnumber + 1))
    if (number >= 0) return btoa(JSON.stringify({ algorithm, challenge: challenge.challenge, number, salt, signature }))
    tell(from / maxnumber)
    await pause()
  }
  throw new Error('The challenge has no solution')
}

/** Not a timer: browsers delay those by four milliseconds, and those of hidden pages by a second. */
function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })
}
