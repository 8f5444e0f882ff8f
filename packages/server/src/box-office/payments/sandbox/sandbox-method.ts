import type { SandboxMischief } from '@seatwise/ledger'

const KINDS = ['ok', 'declined', 'slow', '3ds'] as const
const MISCHIEF = ['lost', 'twice', 'late', 'reordered'] as const satisfies readonly SandboxMischief[]

/** What a sandbox payment method does. */
export interface SandboxMethod {
  readonly kind: (typeof KINDS)[number]
  /** What goes wrong with the webhooks about it. */
  readonly mischief: readonly SandboxMischief[]
  /** For a slow one: whether it is declined in the end. */
  readonly endsDeclined: boolean
}

/**
 * Reads `sandbox_ok`, `sandbox_declined`, `sandbox_slow`, `sandbox_3ds`, optionally with faults after a colon:
 * `sandbox_slow:declined,twice`. Null for anything else.
 */
export function readSandboxMethod(text: string): SandboxMethod | null {
  const [, name, options = ''] = /^sandbox_([a-z0-9]+)(?::([a-z,]+))?$/.exec(text) ?? []
  const kind = KINDS.find((known) => known === name)
  if (kind === undefined) return null
  const words = options === '' ? [] : options.split(',')
  const mischief = MISCHIEF.filter((known) => words.includes(known))
  const endsDeclined = kind === 'slow' && words.includes('declined')
  return mischief.length + Number(endsDeclined) === words.length ? { kind, mischief, endsDeclined } : null
}
