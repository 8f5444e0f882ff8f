import { parentPort } from 'node:worker_threads'
import { type BeaconRound, isSigned } from './verify-round.ts'

/** Verifies one round, and ends. */
if (parentPort === null) throw new Error('This file runs in a thread of its own')
const port = parentPort
port.once('message', (round: BeaconRound) => port.postMessage(isSigned(round)))
