import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Tells which files of this process a request executes, by V8's precise coverage between two snapshots. */
export interface HopCounter {
  /**
   * Runs each request once, one after the other. Returns the source files of our packages that most of the runs
   * executed, in the order of their names: background work happens to run beside a few of them.
   */
  count(requests: readonly (() => Promise<void>)[]): Promise<string[]>
}

export async function openHopCounter(stack: AsyncDisposableStack, tree: string): Promise<HopCounter> {
  const session = new Session()
  session.connect()
  stack.defer(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

  /** The files whose functions ran since the snapshot before. Loading a module is no hop. */
  async function snapshot(): Promise<Set<string>> {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ran = result.filter(({ functions }) =>
      functions.some(({ ranges: [whole] }) => whole !== undefined && whole.count > 0 && whole.startOffset > 0),
    )
    return new Set(ran.flatMap(({ url }) => ownSource(url, tree)))
  }

  return {
    async count(requests) {
      const runs: Set<string>[] = []
      for (const request of requests) {
        await snapshot()
        await request()
        runs.push(await snapshot())
      }
      const files = new Set(runs.flatMap((run) => [...run]))
      return [...files].sort().filter((file) => runs.filter((run) => run.has(file)).length > runs.length / 2)
    },
  }
}

function ownSource(url: string, tree: string): string[] {
  if (!url.startsWith('file:')) return []
  const path = relative(tree, fileURLToPath(url))
  return /^packages\/[^/]+\/src\//.test(path) ? [path] : []
}
