import type { Challenge } from '../types.ts'
import { solveChallenge } from './solve.ts'

/** In a worker where there are workers, so that the page goes on moving; else here, in slices. */
export async function solveAside(challenge: Challenge, tell: (part: number) => void): Promise<string> {
  const worker = typeof document === 'undefined' ? null : openWorker()
  if (worker === null) return await solveChallenge(challenge, tell)
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<number | string>) =>
        typeof data === 'string' ? resolve(data) : tell(data)
      worker.onerror = reject
      worker.postMessage(challenge)
    })
  } catch {
    // A policy of the page forbids workers, or the file is gone.
    return await solveChallenge(challenge, tell)
  } finally {
    worker.terminate()
  }
}

function openWorker(): Worker | null {
  try {
    return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  } catch {
    return null
  }
}
