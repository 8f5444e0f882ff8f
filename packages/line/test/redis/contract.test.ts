import { lineContract } from '../contract/line-contract.ts'
import { openRedisHarness } from './harness.ts'

lineContract('redis', openRedisHarness)
