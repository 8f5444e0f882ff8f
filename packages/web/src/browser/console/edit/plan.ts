/** A seat plan as it is edited. Pure: the page only shows it and passes clicks on. */
export interface PlanRow {
  readonly label: string
  readonly seats: number
  readonly blocked: readonly number[]
  readonly accessible: readonly number[]
  readonly x: number
  readonly y: number
  readonly seatPitch: number
}

export interface PlanType {
  /** Only for the page: a new category has no id yet. */
  readonly key: string
  readonly id: string | null
  readonly name: string
  /** In minor units. */
  readonly price: number
  readonly currency: string
  readonly isNumbered: boolean
  /** Sold only with an access code. */
  readonly isHidden: boolean
  /** Where seats have no number. */
  readonly quantity: number
  readonly rows: readonly PlanRow[]
}

/** From one seat to the next, and from one row to the next, on the map. */
const PITCH = 20
const ROW_STEP = 24
const BLOCK_GAP = 48
const SEATS_PER_ROW_MAX = 5_000

interface WireRow {
  label: string
  seats: number
  blocked?: number[]
  accessible?: number[]
  x?: number
  y?: number
  seatPitch?: number
}
export interface WireType {
  id?: string
  name: string
  price?: number
  currency?: string
  reservedSeating?: boolean
  totalQuantity?: number
  hidden?: boolean
  rows?: WireRow[] | null
}

/** The plan of an event, or one that was saved as a file; rows without a place on the map get one below the others. */
export function planFrom(types: readonly WireType[]): PlanType[] {
  let y = 0
  return types.map((type, index) => {
    const rows = (type.rows ?? []).map((row) => {
      const placed = placeRow(row, y)
      y = Math.max(y, placed.y) + ROW_STEP
      return placed
    })
    return {
      key: type.id ?? `new ${index} ${type.name}`,
      id: type.id ?? null,
      name: type.name,
      price: type.price ?? 0,
      currency: type.currency ?? 'EUR',
      isNumbered: type.rows !== null && type.rows !== undefined && type.rows.length > 0,
      isHidden: type.hidden ?? false,
      quantity: type.totalQuantity ?? 0,
      rows,
    }
  })
}

function placeRow(row: WireRow, y: number): PlanRow {
  const seatPitch = row.seatPitch ?? PITCH
  return {
    label: row.label,
    seats: row.seats,
    blocked: row.blocked ?? [],
    accessible: row.accessible ?? [],
    x: row.x ?? -((row.seats - 1) * seatPitch) / 2,
    y: row.y ?? y,
    seatPitch,
  }
}

/** Adds rows to a category, below everything that is there, in the middle. */
export function addBlock(
  plan: readonly PlanType[],
  key: string,
  block: { rows: number; seats: number; first: string },
): PlanType[] {
  const bottom = Math.max(Number.NEGATIVE_INFINITY, ...plan.flatMap(({ rows }) => rows.map(({ y }) => y)))
  const top = Number.isFinite(bottom) ? bottom + BLOCK_GAP : 0
  const rows: PlanRow[] = []
  let label = block.first
  for (let index = 0; index < block.rows; index += 1) {
    rows.push(placeRow({ label, seats: block.seats, y: top + index * ROW_STEP }, 0))
    label = nextLabel(label)
  }
  return plan.map((type) => (type.key === key ? { ...type, rows: [...type.rows, ...rows] } : type))
}

/** A → B, Z → AA, 9 → 10, Box 9 → Box 10. */
export function nextLabel(label: string): string {
  const number = /^(.*?)(\d+)$/.exec(label)
  if (number !== null) return `${number[1]}${Number(number[2]) + 1}`
  const letters = /^(.*?)([A-Z]+)$/.exec(label)
  if (letters === null) return `${label}2`
  const [, before = '', word = ''] = letters
  let carry = true
  const next = [...word].reverse().map((letter) => {
    if (!carry) return letter
    carry = letter === 'Z'
    return carry ? 'A' : String.fromCharCode(letter.charCodeAt(0) + 1)
  })
  return `${before}${carry ? 'A' : ''}${next.reverse().join('')}`
}

/** Changes one row; a change to no seats takes it away. */
export function changeRow(plan: readonly PlanType[], key: string, label: string, change: Partial<PlanRow>): PlanType[] {
  return plan.map((type) =>
    type.key === key
      ? {
          ...type,
          rows: type.rows
            .map((row) => (row.label === label ? fitted({ ...row, ...change }) : row))
            .filter(({ seats }) => seats > 0),
        }
      : type,
  )
}

/** Numbers beyond the last seat mean nothing. */
function fitted(row: PlanRow): PlanRow {
  const fits = (number: number): boolean => number <= row.seats
  return { ...row, blocked: row.blocked.filter(fits), accessible: row.accessible.filter(fits) }
}

export function toggled(numbers: readonly number[], number: number): number[] {
  return numbers.includes(number) ? numbers.filter((one) => one !== number) : [...numbers, number].sort((a, b) => a - b)
}

/** "1, 4-6" → 1, 4, 5, 6; what is no number is left out. */
export function parseNumbers(text: string): number[] {
  const found = text.split(',').flatMap((part) => {
    const [, from = '', to = from] = /^\s*(\d{1,4})\s*(?:[-–]\s*(\d{1,4})\s*)?$/.exec(part) ?? []
    if (from === '') return []
    const [first, last] = [Number(from), Math.min(Number(to), SEATS_PER_ROW_MAX)]
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  })
  return [...new Set(found)].filter((number) => number >= 1).sort((a, b) => a - b)
}

export function writeNumbers(numbers: readonly number[]): string {
  const spans: [number, number][] = []
  for (const number of numbers) {
    const last = spans.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else spans.push([number, number])
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ')
}

export function seatsIn(plan: readonly PlanType[]): number {
  return plan.reduce(
    (sum, { isNumbered, quantity, rows }) =>
      sum + (isNumbered ? rows.reduce((seats, row) => seats + row.seats, 0) : quantity),
    0,
  )
}

/** A row name that one category has twice; null when there is none. */
export function repeatedRow(plan: readonly PlanType[]): string | null {
  for (const { rows } of plan) {
    const labels = rows.map(({ label }) => label)
    const repeated = labels.find((label, index) => labels.indexOf(label) !== index)
    if (repeated !== undefined) return repeated
  }
  return null
}
