import { checkDraw, type DrawVerdict, type SignedRound } from './check-draw.ts'
import { type Head, judgeHead, originOf, type PublishedKey } from './heads.ts'
import { GrowingTree, isExtension, isIncluded } from './merkle.ts'
import { OrderRules, type PublicEntry } from './order-rules.ts'

/** Proves that one's own joining is in the log, as the server gave it. */
export interface Receipt {
  readonly entry: string
  readonly index: number
  readonly head: Head
  readonly proof: { readonly hashes: readonly string[] }
}

export interface PublicLogOptions {
  /** Answers a GET below the server with parsed JSON. */
  readonly ask: (path: string) => Promise<unknown>
  /** The path of the room: `/api/events/:id` or `/api/rooms/:id`. */
  readonly room: string
  readonly roomId: string
  /** Heads and receipts that were kept from earlier. */
  readonly heads?: readonly Head[]
  readonly receipts?: readonly Receipt[]
  /** Above this, entries are sampled and proven one by one; without it the whole log is read. */
  readonly entriesMax?: number
  readonly onProgress?: (checked: number, all: number) => void
  /** Verifies a signature of the beacon with a library for BLS; without it such signatures are not checked. */
  readonly isRoundSigned?: (signed: SignedRound) => Promise<boolean>
}

export interface PublicLogVerdict {
  readonly head: Head
  /** Entries that were read and hashed. */
  readonly checked: number
  /** False: the log is so long that entries were only sampled. */
  readonly isWhole: boolean
  /** False where the platform cannot verify signatures. */
  readonly signaturesChecked: boolean
  /** Null where the log was not read whole, or has no revealed draw. */
  readonly draw: DrawVerdict | null
  readonly problems: readonly string[]
}

const PAGE = 1_000
const SAMPLES = 40
const PROBLEMS_MAX = 100

/**
 * Checks the transparency log of a room from outside: the entries against the latest head, heads and receipts that were kept from
 * earlier against both, signatures, and the order of the line.
 */
export async function checkPublicLog(options: PublicLogOptions): Promise<PublicLogVerdict> {
  const problems: string[] = []
  const { ask, room, roomId } = options
  const { keys } = (await ask('/.well-known/jwks.json')) as { keys: readonly PublishedKey[] }
  const head = (await ask(`${room}/queue/head`)) as Head
  const origin = originOf(head)
  if (!origin.endsWith(`/rooms/${roomId}`)) problems.push(`The head is of another log: ${origin}`)
  const kept = [...(options.heads ?? []), ...(options.receipts ?? []).map((receipt) => receipt.head)]
  let signaturesChecked = true
  for (const each of [head, ...kept]) {
    const verdict = await judgeHead(each, keys, origin)
    if (verdict.status === 'bad') problems.push(`The head of ${each.size} entries is not valid: ${verdict.why}`)
    if (verdict.status === 'unknown') signaturesChecked = false
  }
  const isWhole = head.size <= (options.entriesMax ?? Number.POSITIVE_INFINITY)
  const said = { ...options, head, kept, problems }
  // Told after what is wrong with heads and proofs, which a reader must not miss among hundreds of these.
  const unfair: string[] = []
  const rules = new OrderRules(roomId, (index, problem) => unfair.push(`Entry ${index}: ${problem}`))
  const checked = isWhole ? await checkEntries(said, rules) : await checkSamples(said)
  const draw = isWhole ? await checkDraw(said, rules.draw) : null
  for (const each of kept) await checkExtension(said, each)
  return { head, checked, isWhole, signaturesChecked, draw, problems: [...problems, ...unfair].slice(0, PROBLEMS_MAX) }
}

interface Check extends PublicLogOptions {
  readonly head: Head
  readonly kept: readonly Head[]
  readonly problems: string[]
}

/** Reads every entry up to the head, and follows the order of the line. Returns how many it read. */
async function checkEntries(
  { ask, room, head, kept, receipts = [], problems, onProgress }: Check,
  rules: OrderRules,
): Promise<number> {
  const tree = new GrowingTree()
  const heads = Map.groupBy([head, ...kept], ({ size }) => size)
  const proofs = Map.groupBy(receipts, ({ index }) => index)
  let after: string | null = '0-0'
  while (after !== null && tree.size < head.size) {
    const page = (await ask(`${room}/queue/audit?after=${after}&limit=${PAGE}`)) as AuditPage
    for (const { index, canonical } of page.items.slice(0, head.size - tree.size)) {
      if (index !== tree.size) problems.push(`Entry ${tree.size} is shown as number ${index}`)
      for (const { entry } of proofs.get(tree.size) ?? []) {
        if (entry !== canonical) problems.push(`Entry ${tree.size} is not the one that a receipt proves`)
      }
      rules.see(JSON.parse(canonical) as PublicEntry, () => tree.root)
      tree.append(canonical)
      for (const { root } of heads.get(tree.size) ?? []) {
        if (root !== tree.root) problems.push(`The head of ${tree.size} entries was signed over other entries`)
      }
    }
    onProgress?.(tree.size, head.size)
    after = page.items.length === 0 ? null : page.nextAfter
  }
  if (tree.size < head.size) problems.push(`${head.size} entries were signed, and only ${tree.size} are shown`)
  for (const receipt of receipts) checkReceipt(receipt, problems)
  return tree.size
}

interface AuditPage {
  readonly items: readonly { readonly index: number; readonly canonical: string }[]
  readonly nextAfter: string | null
}

/** Proves pages at random: enough to find a log of which a tenth was altered, nearly always. */
async function checkSamples({ ask, room, head, receipts = [], problems, onProgress }: Check): Promise<number> {
  let checked = 0
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = sample === 0 ? 0 : Math.floor(Math.random() * head.size)
    const page = (await ask(`${room}/queue/audit?from=${from}&limit=1`)) as AuditPage
    if (page.items[0]?.index !== from) problems.push(`Entry ${from} is not shown`)
    for (const { index, canonical } of page.items) {
      const { hashes } = (await ask(`${room}/queue/proof?index=${index}&size=${head.size}`)) as { hashes: string[] }
      if (!isIncluded(canonical, index, head, hashes)) problems.push(`Entry ${index} is not in the signed log`)
      checked += 1
    }
    onProgress?.(sample + 1, SAMPLES)
  }
  for (const receipt of receipts) checkReceipt(receipt, problems)
  return checked
}

function checkReceipt({ entry, index, head, proof }: Receipt, problems: string[]): void {
  if (!isIncluded(entry, index, head, proof.hashes)) problems.push('A receipt does not prove its entry')
}

async function checkExtension({ ask, room, head, problems }: Check, from: Head): Promise<void> {
  if (from.size > head.size) {
    problems.push(`A head of ${from.size} entries was signed before, and now there are only ${head.size}`)
    return
  }
  const path = `${room}/queue/consistency?from=${from.size}&to=${head.size}`
  const { hashes } = (await ask(path)) as { hashes: string[] }
  if (!isExtension(from, head, hashes)) {
    problems.push(`The log was rewritten: the head of ${head.size} entries does not extend that of ${from.size}`)
  }
}
