import { gateProperty } from '../gate/gate-property.ts'
import { openRedisHarness } from './harness.ts'

gateProperty('redis', openRedisHarness)
