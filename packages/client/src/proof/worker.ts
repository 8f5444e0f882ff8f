import type { Challenge } from '../types.ts'
import { solveChallenge } from './solve.ts'

/** Solves one challenge off the page's own thread: a number says how far it is, a text is the proof. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  void solveChallenge(data, postMessage).then(postMessage)
})
