import { type HeadJson, headProblem, type JwkJson, originIn } from './checkpoint.ts'
import { drawProblems } from './draw.ts'
import { extendsHead, isIncluded, leafOf, rootOf } from './merkle.ts'
import { orderProblems } from './order.ts'

export interface ReceiptJson {
  readonly entry: string
  readonly index: number
  readonly head: HeadJson
  readonly proof: { readonly hashes: readonly string[] }
}

/** What a client kept from earlier. */
export interface KeptProofs {
  readonly heads?: readonly HeadJson[]
  readonly receipts?: readonly ReceiptJson[]
}

/** Answers a GET of the server with parsed JSON; throws for other answers than 200. */
export type Ask = (path: string) => Promise<unknown>

export interface LogEntryJson {
  readonly epoch: number
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly [detail: string]: unknown
}

/**
 * Verifies a room's public log from outside, by the wire contract alone and without a line of the product. Returns what is wrong
 * with it; nothing for an honest log. `room` is its path, such as `/api/events/:id`.
 */
export async function verifyLog(ask: Ask, room: string, kept: KeptProofs = {}): Promise<string[]> {
  const problems: string[] = []
  const { keys } = (await ask('/.well-known/jwks.json')) as { keys: JwkJson[] }
  const roomId = await roomIdOf(ask, room)
  const head = (await ask(`${room}/queue/head`)) as HeadJson
  const origin = originIn(head)
  if (!origin.endsWith(`/rooms/${roomId}`)) problems.push(`the head is of the log ${origin}`)
  const texts = await readTexts(ask, room, problems)
  const leaves = texts.map(leafOf)
  problems.push(...entryProblems(texts))
  const heads = [head, ...(kept.heads ?? []), ...(kept.receipts ?? []).map((receipt) => receipt.head)]
  for (const each of heads) {
    const problem = headProblem(each, keys, origin)
    if (problem !== null) problems.push(`head ${each.size}: ${problem}`)
    if (each.size > leaves.length) problems.push(`head ${each.size}: only ${leaves.length} entries are shown`)
    else if (rootOf(leaves.slice(0, each.size)) !== each.root)
      problems.push(`head ${each.size}: other entries were signed`)
    await consistencyOf(each, head)
  }
  for (const receipt of kept.receipts ?? []) problems.push(...receiptProblems(receipt, texts))
  for (const index of new Set([0, Math.floor(head.size / 2), head.size - 1])) await inclusionOf(index)
  problems.push(...orderProblems(texts, roomId), ...drawProblems(texts, heads), ...(await summaryProblems()))
  return problems

  async function consistencyOf(from: HeadJson, to: HeadJson): Promise<void> {
    if (from.size > to.size) return void problems.push(`head ${from.size}: newer than the latest`)
    const { hashes } = (await ask(`${room}/queue/consistency?from=${from.size}&to=${to.size}`)) as { hashes: string[] }
    if (!extendsHead(from, to, hashes)) problems.push(`head ${to.size} does not extend head ${from.size}`)
  }

  /** What the server says of its draw is what the log says. */
  async function summaryProblems(): Promise<string[]> {
    const entries = texts.map((text) => JSON.parse(text) as LogEntryJson)
    const revealed = entries.find(({ kind }) => kind === 'revealed')
    if (revealed === undefined) return []
    const size = entries.findIndex(({ kind }) => kind === 'sealed')
    const told = (await ask(`${room}/queue/draw`)) as { secret: string; sealed: object; commitment: string }
    const announced = entries.find(({ kind }) => kind === 'draw')
    const sealed = { count: entries[size]?.count, size, root: rootOf(leaves.slice(0, size)) }
    const isSame =
      told.secret === revealed.secret &&
      told.commitment === announced?.commitment &&
      Object.entries(sealed).every(([name, value]) => (told.sealed as Record<string, unknown>)[name] === value)
    return isSame ? [] : ['the server says something else of its draw than the log']
  }

  async function inclusionOf(index: number): Promise<void> {
    const { hashes } = (await ask(`${room}/queue/proof?index=${index}&size=${head.size}`)) as { hashes: string[] }
    const leaf = leaves[index]
    if (leaf === undefined || !isIncluded(leaf, index, head.size, hashes, head.root)) {
      problems.push(`entry ${index}: the proof does not lead to the head`)
    }
  }
}

async function roomIdOf(ask: Ask, room: string): Promise<string> {
  const found = (await ask(room)) as { id: string; roomId?: string }
  return found.roomId ?? found.id
}

async function readTexts(ask: Ask, room: string, problems: string[]): Promise<string[]> {
  const texts: string[] = []
  for (let after: string | null = '0-0'; after !== null; ) {
    const page = (await ask(`${room}/queue/audit?after=${after}&limit=1000`)) as {
      items: { index: number; canonical: string }[]
      nextAfter: string | null
    }
    for (const { index, canonical } of page.items) {
      if (index !== texts.length) problems.push(`entry ${texts.length} is shown as ${index}`)
      texts.push(canonical)
    }
    after = page.items.length === 0 ? null : page.nextAfter
  }
  return texts
}

/** Epochs go up, seq has no gaps in them, and time does not go back in them. */
function entryProblems(texts: readonly string[]): string[] {
  const problems: string[] = []
  let last = { epoch: 0, seq: 0, at: 0 }
  texts.forEach((text, index) => {
    const { epoch, seq, at, kind } = JSON.parse(text) as LogEntryJson
    const isNext = epoch === last.epoch ? seq === last.seq + 1 : epoch > last.epoch && seq === 1 && kind === 'opened'
    if (!isNext) problems.push(`entry ${index} is ${epoch}-${seq} after ${last.epoch}-${last.seq}`)
    if (epoch === last.epoch && at < last.at) problems.push(`entry ${index} is older than the one before`)
    last = { epoch, seq, at }
  })
  return problems
}

function receiptProblems({ entry, index, head, proof }: ReceiptJson, texts: readonly string[]): string[] {
  if (!isIncluded(leafOf(entry), index, head.size, proof.hashes, head.root)) return ['a receipt proves nothing']
  return texts[index] === entry ? [] : [`entry ${index} is not the one of the receipt`]
}
