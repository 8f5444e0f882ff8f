import { availableParallelism, totalmem } from 'node:os'
import { bad, type Finding, good, weak } from './finding.ts'

/** A socket is a descriptor: the common default of 1,024 is full after a thousand visitors. */
const DESCRIPTORS_MIN = 4_096
const DESCRIPTORS_GOOD = 65_536
const MEMORY_MIN_BYTES = 1_024 ** 3

export interface Machine {
  readonly nodeMajor: number
  /** Infinity when there is no limit. */
  readonly descriptors: number
  readonly memoryBytes: number
  readonly cores: number
}

export function judgeMachine(machine: Machine = readMachine()): Finding[] {
  return [judgeNode(machine), judgeDescriptors(machine), judgeMemory(machine)]
}

function readMachine(): Machine {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = report.userLimits?.open_files?.soft
  return {
    nodeMajor: Number.parseInt(process.versions.node, 10),
    descriptors: typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY,
    memoryBytes: process.constrainedMemory() > 0 ? Math.min(process.constrainedMemory(), totalmem()) : totalmem(),
    cores: availableParallelism(),
  }
}

function judgeNode({ nodeMajor }: Machine): Finding {
  if (nodeMajor >= 26) return good('node', process.version)
  return bad('node', 'nodeOld', { version: String(nodeMajor) })
}

function judgeDescriptors({ descriptors }: Machine): Finding {
  const what = 'file descriptors'
  const said = `at most ${descriptors} open at once`
  const facts = { limit: String(descriptors), wanted: String(DESCRIPTORS_GOOD) }
  if (descriptors >= DESCRIPTORS_GOOD) return good(what, Number.isFinite(descriptors) ? said : 'no limit')
  if (descriptors >= DESCRIPTORS_MIN) return weak(what, 'descriptorsFew', facts)
  return bad(what, 'descriptorsTooFew', facts)
}

function judgeMemory({ memoryBytes, cores }: Machine): Finding {
  const gigabytes = (memoryBytes / 1_024 ** 3).toFixed(1)
  const said = `${gigabytes} GB of memory, ${cores} cores`
  if (memoryBytes >= MEMORY_MIN_BYTES) return good('machine', said)
  return weak('machine', 'memorySmall', { gigabytes, cores: String(cores) })
}
