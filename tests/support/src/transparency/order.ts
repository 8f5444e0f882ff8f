import { createHash, createHmac } from 'node:crypto'
import { leafOf, rootOf } from './merkle.ts'
import type { LogEntryJson } from './verify-log.ts'

interface Waiting {
  readonly class: number
  readonly place: number
  isAway: boolean
}

/**
 * Whether tickets were let in fairly, by the log alone: numbers are drawn once and go up, a class above 0 names a code that was
 * made for it and is used once, and of a class always the first who is present goes in.
 */
export function orderProblems(texts: readonly string[], roomId: string): string[] {
  const problems: string[] = []
  const waiting = new Map<number, Waiting>()
  const drawn = new Set<number>()
  const live = new Set<number>()
  let prices = new Map<string, number>()
  const codes = new Map<string, number>()
  let highest = 0
  let commitment = ''
  let sealed: { root: string; numbers: readonly number[] } | null = null
  texts.forEach((text, index) => {
    const entry = JSON.parse(text) as LogEntryJson
    const say = (problem: string) => problems.push(`entry ${index}: ${problem}`)
    const number = entry.number as number
    const numbers = (entry.numbers ?? []) as number[]
    switch (entry.kind) {
      case 'codes':
        for (const hash of entry.hashes as string[]) codes.set(hash, entry.class as number)
        return
      case 'joined':
        if (number <= highest) say(`ticket ${number} was drawn after ${highest}`)
        highest = Math.max(highest, number)
        if ((entry.class as number) > 0) useCode(entry.code as string | undefined, entry.class as number, say)
        wait(number, entry)
        return
      case 'classed':
        useCode(entry.code as string, entry.class as number, say)
        if (waiting.get(number)?.isAway !== false) say(`ticket ${number} does not wait`)
        else if ((entry.place as number) > (waiting.get(number)?.place ?? 0)) say(`ticket ${number} moved back`)
        wait(number, entry)
        return
      case 'restored':
        wait(number, entry)
        return
      case 'grouped':
        group(
          number,
          (entry.members as number[]).filter((each) => each !== number),
          say,
        )
        return
      case 'away':
      case 'back':
        for (const each of numbers) {
          const ticket = waiting.get(each)
          if (ticket === undefined) say(`ticket ${each} does not wait`)
          else ticket.isAway = entry.kind === 'away'
        }
        return
      case 'corrected':
        waiting.delete(number)
        if (entry.state === 'completed') live.delete(number)
        return
      case 'expired':
        for (const each of numbers) {
          waiting.delete(each)
          live.delete(each)
        }
        return
      case 'prices':
        prices = listed(entry, prices, live.size > 0, say)
        return
      case 'completed':
        live.delete(number)
        return
      case 'draw':
        commitment = entry.commitment as string
        return
      case 'sealed':
        sealed = { root: rootOf(texts.slice(0, index).map(leafOf)), numbers: [...waiting.keys()] }
        return
      case 'revealed':
        reveal(entry, say)
        return
      case 'admitted':
        if (sealed !== null) say(`ticket ${number} went in between seal and reveal`)
        admit(number, say)
        return
      default:
        return
    }
  })
  return problems

  /** The contract's recipe: the order of HMACs, and the k-th drawn has place k. */
  function reveal({ secret, signature }: LogEntryJson, say: (problem: string) => void): void {
    const { root = '', numbers = [] } = sealed ?? {}
    sealed = null
    const bytes = Buffer.from(secret as string, 'hex')
    if (sha256(bytes).toString('hex') !== commitment) say('the secret is not the one that was committed to')
    const beacon = signature === undefined ? [] : [sha256(Buffer.from(signature as string, 'hex'))]
    const seed = sha256(bytes, Buffer.from(root, 'hex'), ...beacon)
    const lots = numbers.map((number) => ({
      number,
      class: waiting.get(number)?.class ?? 0,
      lot: createHmac('sha256', seed).update(`${roomId}:${number}`).digest('hex'),
    }))
    lots.sort((a, b) => b.class - a.class || (a.lot < b.lot ? -1 : 1))
    for (const [index, { number }] of lots.entries()) {
      const ticket = waiting.get(number)
      if (ticket !== undefined) waiting.set(number, { ...ticket, place: index + 1 })
    }
  }

  function wait(number: number, { class: ticketClass, place }: LogEntryJson): void {
    drawn.add(number)
    live.add(number)
    waiting.set(number, { class: ticketClass as number, place: place as number, isAway: false })
  }

  /** Visitors stand together as one ticket, at the place of the one who is last. */
  function group(number: number, others: readonly number[], say: (problem: string) => void): void {
    const ticket = waiting.get(number)
    for (const other of others) {
      const left = waiting.get(other)
      if (left === undefined) continue
      waiting.delete(other)
      live.delete(other)
      const isAhead = ticket !== undefined && ticket.class === left.class && ticket.place < left.place
      if (ticket === undefined || isAhead) say(`ticket ${other} stands with ${number}, which stood before it`)
    }
  }

  function useCode(code: string | undefined, ticketClass: number, say: (problem: string) => void): void {
    if (code === undefined || codes.get(code) !== ticketClass) say(`class ${ticketClass} without a code`)
    else codes.delete(code)
  }

  function admit(number: number, say: (problem: string) => void): void {
    const ticket = waiting.get(number)
    // A ticket of an earlier epoch may be admitted whose waiting only the rebuild knew.
    if (ticket === undefined) {
      if (!drawn.has(number)) say(`ticket ${number} was never drawn`)
      return
    }
    waiting.delete(number)
    const passed = [...waiting].find(
      ([, other]) => !other.isAway && other.class === ticket.class && other.place < ticket.place,
    )
    if (passed !== undefined) say(`ticket ${number} went in before ${passed[0]}, which stood before it`)
  }
}

/** The prices of a list by name; a name that was there may only get cheaper while tickets are alive. */
function listed(
  { hash, list }: LogEntryJson,
  before: Map<string, number>,
  isLocked: boolean,
  say: (problem: string) => void,
): Map<string, number> {
  if (typeof list !== 'string' || sha256(Buffer.from(list)).toString('hex') !== hash) {
    say('another price list than that of the hash')
    return before
  }
  const { taxRate, fees, seatTypes } = JSON.parse(list) as {
    taxRate: number
    fees: { name: string; perTicket?: number; percent?: number }[]
    seatTypes: { id: string; price: number; variants: { id: string; price: number }[] }[]
  }
  const now = new Map([['tax', taxRate]])
  for (const { name, perTicket = 0, percent = 0 } of fees)
    now.set(`${name}/each`, perTicket).set(`${name}/percent`, percent)
  for (const { id, price, variants } of seatTypes) {
    if (variants.length === 0) now.set(id, price)
    for (const variant of variants) now.set(`${id}/${variant.id}`, variant.price)
  }
  for (const [name, price] of now) if (isLocked && price > (before.get(name) ?? price)) say(`${name} rose to ${price}`)
  return now
}

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
