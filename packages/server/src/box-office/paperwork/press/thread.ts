import { parentPort } from 'node:worker_threads'
import { drawPaper } from './draw-paper.ts'
import type { Paper } from './paper.ts'

/** What the thread answers: one message for each paper, in their order. */
export type Drawn = { readonly bytes: Uint8Array } | { readonly problem: string }

if (parentPort === null) throw new Error('This file runs in a thread of its own')
const port = parentPort

port.on('message', (paper: Paper) => {
  drawPaper(paper).then(
    (bytes) => port.postMessage({ bytes } satisfies Drawn),
    (error: unknown) =>
      port.postMessage({ problem: error instanceof Error ? error.message : String(error) } satisfies Drawn),
  )
})
