import { parentPort } from 'node:worker_threads'
import { type DrawInput, drawOrder } from './draw-order.ts'

/** Computes one order, and ends. */
if (parentPort === null) throw new Error('This file runs in a thread of its own')
const port = parentPort
port.once('message', (input: DrawInput) => port.postMessage(drawOrder(input)))
