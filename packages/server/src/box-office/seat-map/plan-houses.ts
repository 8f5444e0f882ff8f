import type { House, HouseRow } from '@seatwise/domain'
import type { PlannedSeat, PlannedType } from '@seatwise/ledger'

export interface PlannedHouse {
  /** Which of the event's types it is. */
  readonly place: number
  readonly isNumbered: boolean
  /** Where its seats are side by side; null where they have no number. */
  readonly house: House | null
  /** Which of the event's rows is the first of this house. */
  readonly firstRow: number
}

export interface HousePlan {
  readonly types: ReadonlyMap<string, PlannedHouse>
  /** By the seat's index: the place of its type. */
  readonly typeOfSeat: Uint16Array
  /** By the seat's index: which of the event's rows it is in; `rowCount` where seats have no number. */
  readonly rowOfSeat: Uint32Array
  readonly rowCount: number
}

/** How the seats of an event stand, made once for each plan: the best row is the first, its focus is the middle. */
export function planHouses(seats: readonly PlannedSeat[], seatTypes: readonly PlannedType[]): HousePlan {
  const places = new Map(seatTypes.map(({ id }, place) => [id, place]))
  const accessible = seats.map((seat) => seat.accessible)
  const rows = rowsByType(seats)
  let rowCount = 0
  const types = new Map(
    seatTypes.map(({ id, isNumbered }, place) => {
      const house = isNumbered ? { rows: [...(rows.get(id)?.values() ?? [])].map(toHouseRow), accessible } : null
      const firstRow = rowCount
      rowCount += house?.rows.length ?? 0
      return [id, { place, isNumbered, house, firstRow }]
    }),
  )
  const typeOfSeat = Uint16Array.from(seats, ({ seatTypeId }) => places.get(seatTypeId) ?? 0)
  const rowOfSeat = new Uint32Array(seats.length).fill(rowCount)
  for (const { house, firstRow } of types.values()) {
    for (const [place, row] of house?.rows.entries() ?? []) {
      for (const index of row.indexes) rowOfSeat[index] = firstRow + place
    }
  }
  return { types, typeOfSeat, rowOfSeat, rowCount }
}

interface RowSeat {
  readonly number: number
  readonly index: number
}

/** Rows come in the order of the plan. */
function rowsByType(seats: readonly PlannedSeat[]): ReadonlyMap<string, ReadonlyMap<string, RowSeat[]>> {
  const types = new Map<string, Map<string, RowSeat[]>>()
  for (const [index, { seatTypeId, row, number }] of seats.entries()) {
    if (row === null || number === null) continue
    const rows = types.get(seatTypeId) ?? new Map<string, RowSeat[]>()
    const inRow = rows.get(row) ?? []
    inRow.push({ number, index })
    rows.set(row, inRow)
    types.set(seatTypeId, rows)
  }
  return types
}

function toHouseRow(seats: RowSeat[]): HouseRow {
  const inOrder = seats.toSorted((one, other) => one.number - other.number)
  const first = inOrder[0]?.number ?? 0
  const last = inOrder.at(-1)?.number ?? 0
  return {
    numbers: inOrder.map(({ number }) => number),
    indexes: inOrder.map(({ index }) => index),
    focus: (first + last) / 2,
  }
}
