import { lineProperties } from '../contract/line-properties.ts'
import { openRedisHarness } from './harness.ts'

lineProperties('redis', openRedisHarness)
