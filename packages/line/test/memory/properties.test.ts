import { lineProperties } from '../contract/line-properties.ts'
import { openMemoryHarness } from './harness.ts'

lineProperties('memory', openMemoryHarness)
