import { type Head, isExtension, judgeHead, originOf, type PublishedKey } from '@seatwise/checker'

/** Two heads that cannot both be of one log that only grew: evidence against whoever signed both. */
export interface Contradiction {
  readonly why: string
  readonly before: Head
  readonly now: Head
}

export type Witnessed =
  | { readonly status: 'extends'; readonly head: Head; readonly checked: number }
  | { readonly status: 'not-signed'; readonly head: Head; readonly why: string }
  | { readonly status: 'rewritten'; readonly contradiction: Contradiction }

/** Fetches the latest head and proves that it extends the heads that were kept. */
export async function witnessLog(
  ask: (path: string) => Promise<unknown>,
  { room, roomId }: { readonly room: string; readonly roomId: string },
  kept: readonly Head[],
): Promise<Witnessed> {
  const head = (await ask(`${room}/queue/head`)) as Head
  const { keys } = (await ask('/.well-known/jwks.json')) as { keys: readonly PublishedKey[] }
  const origin = originOf(kept[0] ?? head)
  const verdict = await judgeHead(head, keys, origin)
  if (verdict.status !== 'good' || !origin.endsWith(`/rooms/${roomId}`)) {
    const why = verdict.status === 'bad' ? verdict.why : `it is of ${origin}`
    return { status: 'not-signed', head, why }
  }
  for (const before of kept) {
    const why = await contradicts(ask, room, before, head)
    if (why !== null) return { status: 'rewritten', contradiction: { why, before, now: head } }
  }
  return { status: 'extends', head, checked: kept.length }
}

async function contradicts(
  ask: (path: string) => Promise<unknown>,
  room: string,
  before: Head,
  now: Head,
): Promise<string | null> {
  if (before.size > now.size) return `${before.size} entries were signed before, and now only ${now.size}`
  const path = `${room}/queue/consistency?from=${before.size}&to=${now.size}`
  const { hashes } = (await ask(path)) as { hashes: string[] }
  return isExtension(before, now, hashes)
    ? null
    : `the head of ${now.size} entries does not extend that of ${before.size}`
}
