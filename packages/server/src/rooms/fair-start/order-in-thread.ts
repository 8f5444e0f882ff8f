import { Worker } from 'node:worker_threads'
import { type DrawInput, type DrawnOrder, drawOrder } from './draw-order.ts'

/** A thread takes 50 ms to start; so many tickets take 10. */
const HERE_MAX = 2_000

/** The order of a draw, without blocking the event loop for longer than a request takes. */
export async function orderInThread(input: DrawInput): Promise<DrawnOrder> {
  if (input.numbers.length <= HERE_MAX) return drawOrder(input)
  const worker = new Worker(new URL('./draw-thread.ts', import.meta.url), { name: 'draw' })
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(`The thread of a draw has stopped with ${code}`)))
      worker.postMessage(input)
    })
  } finally {
    await worker.terminate()
  }
}
