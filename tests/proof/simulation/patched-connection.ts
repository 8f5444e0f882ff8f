import { createHash } from 'node:crypto'
import type { RedisConnection } from '@seatwise/line'

/** Replaces a piece of a script by another; the piece must be there. */
export interface ScriptPatch {
  readonly from: string
  readonly to: string
}

export interface PatchedConnection extends RedisConnection {
  /** The instant of every script from now on, in milliseconds since 1970. */
  setClock(ms: number): void
  /** Patches that were never found in any script: a defect that is not there proves nothing. */
  unused(): readonly ScriptPatch[]
}

const REAL_CLOCK = `  local time = call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)`

/**
 * The real scripts on the real Redis, but for their clock, which the simulation moves, and for defects that a test puts
 * into them. It is done here, in what they travel through: the product has no switch for it.
 */
export function patchConnection(
  connection: RedisConnection,
  clockKey: string,
  patches: readonly ScriptPatch[] = [],
): PatchedConnection {
  const patchedSha = new Map<string, string>()
  const used = new Set<ScriptPatch>()
  const clock = { from: REAL_CLOCK, to: `  return tonumber(redis.call('GET', '${clockKey}'))` }
  const patch = (source: string): string =>
    [clock, ...patches].reduce((text, each) => {
      if (!text.includes(each.from)) return text
      used.add(each)
      return text.replaceAll(each.from, () => each.to)
    }, source)

  return {
    ...connection,
    setClock(ms) {
      // Not waited for: commands of one connection are run in the order in which they are sent.
      connection.send(null, ['SET', clockKey, String(ms)]).catch(() => undefined)
    },
    unused: () => patches.filter((each) => !used.has(each)),
    async send(key, args) {
      const [command, script = '', ...rest] = args
      if (command === 'EVAL') {
        const patched = patch(script)
        await connection.send(null, ['SCRIPT', 'LOAD', patched])
        patchedSha.set(shaOf(script), shaOf(patched))
        return await connection.send(key, ['EVALSHA', shaOf(patched), ...rest])
      }
      if (command !== 'EVALSHA') return await connection.send(key, args)
      const sha = patchedSha.get(script)
      if (sha === undefined) throw new Error('NOSCRIPT The simulation has not patched it yet')
      return await connection.send(key, ['EVALSHA', sha, ...rest])
    },
  }
}

function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
