import { type DrawInput, type DrawnOrder, drawOrder } from './draw-order.ts'
import { runInThread } from './run-in-thread.ts'

/** A thread takes 50 ms to start; so many tickets take 10. */
const HERE_MAX = 2_000

/** The order of a draw, without blocking the event loop for longer than a request takes. */
export async function orderInThread(input: DrawInput): Promise<DrawnOrder> {
  if (input.numbers.length <= HERE_MAX) return drawOrder(input)
  return await runInThread<DrawnOrder>(new URL('./draw-thread.ts', import.meta.url), 'draw', input)
}
