import type { Beacon } from '../../../config/index.ts'

const TIMEOUT_MS = 2_000
const ANSWER_LENGTH_MAX = 4_096

/** The signature of a round from the first address that has it; null while none has. What it says is not verified here. */
export async function readRound({ chain, urls }: Beacon, round: number): Promise<string | null> {
  for (const url of urls) {
    const signature = await askOne(`${url}/${chain.hash}/public/${round}`)
    if (signature !== null) return signature
  }
  return null
}

async function askOne(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
    const text = await answer.text()
    if (!answer.ok || text.length > ANSWER_LENGTH_MAX) return null
    const body: unknown = JSON.parse(text)
    const found = typeof body === 'object' && body !== null && 'signature' in body ? body.signature : null
    return typeof found === 'string' ? found.toLowerCase() : null
  } catch {
    // Unreachable, too slow, or not JSON: another address may have it, and the draw asks again.
    return null
  }
}
