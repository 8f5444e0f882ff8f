import { lineContract } from '../contract/line-contract.ts'
import { openMemoryHarness } from './harness.ts'

lineContract('memory', openMemoryHarness)
