import type { House, HouseRow } from '@seatwise/domain'
import type { PlannedSeat, PlannedType } from '@seatwise/ledger'

export interface PlannedHouse {
  /** The index of the type in the event. */
  readonly place: number
  readonly isNumbered: boolean
  /** Shown to no visitor without a code that opens it. */
  readonly isHidden: boolean
  /** Where its seats are side by side; null for unnumbered seats. */
  readonly house: House | null
  /** The index in the event of this house's first row. */
  readonly firstRow: number
}

export interface HousePlan {
  readonly types: ReadonlyMap<string, PlannedHouse>
  /** By seat index: the index of its type. */
  readonly typeOfSeat: Uint16Array
  /** By seat index: the index of its row in the event; `rowCount` for unnumbered seats. */
  readonly rowOfSeat: Uint32Array
  readonly rowCount: number
}

/**
 * The geometry of an event's seats, computed once for each plan: the best row is the first, its focus is the middle.
 */
export function planHouses(seats: readonly PlannedSeat[], seatTypes: readonly PlannedType[]): HousePlan {
  const places = new Map(seatTypes.map(({ id }, place) => [id, place]))
  const accessible = seats.map((seat) => seat.accessible)
  const rows = rowsByType(seats)
  let rowCount = 0
  const types = new Map(
    seatTypes.map(({ id, isNumbered, isHidden }, place) => {
      const house = isNumbered ? { rows: [...(rows.get(id)?.values() ?? [])].map(toHouseRow), accessible } : null
      const firstRow = rowCount
      rowCount += house?.rows.length ?? 0
      return [id, { place, isNumbered, isHidden, house, firstRow }]
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
  readonly along: number
  readonly index: number
}

/** Rows are in the order of the plan. */
function rowsByType(seats: readonly PlannedSeat[]): ReadonlyMap<string, ReadonlyMap<string, RowSeat[]>> {
  const types = new Map<string, Map<string, RowSeat[]>>()
  for (const [index, { seatTypeId, row, along }] of seats.entries()) {
    if (row === null || along === null) continue
    const rows = types.get(seatTypeId) ?? new Map<string, RowSeat[]>()
    const inRow = rows.get(row) ?? []
    inRow.push({ along, index })
    rows.set(row, inRow)
    types.set(seatTypeId, rows)
  }
  return types
}

function toHouseRow(seats: RowSeat[]): HouseRow {
  const inOrder = seats.toSorted((one, other) => one.along - other.along)
  const first = inOrder[0]?.along ?? 0
  const last = inOrder.at(-1)?.along ?? 0
  return {
    along: inOrder.map(({ along }) => along),
    indexes: inOrder.map(({ index }) => index),
    focus: (first + last) / 2,
  }
}
