import { lineModel } from '../model/line-model.ts'
import { openRedisHarness } from './harness.ts'

lineModel('redis', openRedisHarness)
