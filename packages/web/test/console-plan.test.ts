import { describe, expect, test } from 'vitest'
import {
  addBlock,
  changeRow,
  nextLabel,
  type PlanType,
  parseNumbers,
  planFrom,
  repeatedRow,
  seatsIn,
  toggled,
  writeNumbers,
} from '../src/browser/console/edit/plan/plan.ts'
import { exportPlan, importPlan, writePlan } from '../src/browser/console/edit/plan/plan-wire.ts'

const stalls = { id: 'one', name: 'Stalls', price: 9_000, currency: 'EUR', rows: [{ label: 'A', seats: 4 }] }
const standing = { id: 'two', name: 'Standing', price: 100, currency: 'KRW', totalQuantity: 30, rows: null }

describe('a seat plan that is edited', () => {
  test('[W79] blocks follow below, with names that go on', () => {
    const plan = addBlock(planFrom([stalls, standing]), 'one', { rows: 3, seats: 5, first: 'Y' })
    const rows = plan[0]?.rows ?? []
    expect(rows.map(({ label }) => label)).toEqual(['A', 'Y', 'Z', 'AA'])
    expect(rows.every(({ y }, index) => index === 0 || y > (rows[index - 1]?.y ?? 0))).toBe(true)
    expect(seatsIn(plan)).toBe(4 + 15 + 30)
    expect(['Z', 'AZ', '9', 'Box 9', 'loge'].map(nextLabel)).toEqual(['AA', 'BA', '10', 'Box 10', 'loge2'])
  })

  test('[W79] seats are numbered as people write them', () => {
    expect(parseNumbers('1, 4-6, x, 3–3,, 0')).toEqual([1, 3, 4, 5, 6])
    expect(writeNumbers([1, 3, 4, 5, 6])).toBe('1, 3-6')
    expect(toggled([1, 3], 2)).toEqual([1, 2, 3])
    expect(toggled([1, 2, 3], 2)).toEqual([1, 3])
  })

  test('[W79] a shorter row forgets seats it no longer has, and a name is had once', () => {
    const plan = changeRow(planFrom([{ ...stalls, rows: [{ label: 'A', seats: 9, blocked: [2, 9] }] }]), 'one', 'A', {
      seats: 5,
    })
    expect(plan[0]?.rows[0]).toMatchObject({ seats: 5, blocked: [2] })
    expect(repeatedRow(plan)).toBeNull()
    expect(repeatedRow(addBlock(plan, 'one', { rows: 1, seats: 2, first: 'A' }))).toBe('A')
  })

  test('[W79] what goes is sent without seats, and only a new category says whether its seats have numbers', () => {
    const before = planFrom([stalls, standing])
    const fresh: PlanType = { ...(before[0] as PlanType), key: 'new', id: null, name: 'Balcony' }
    const after = [...addBlock(before.slice(0, 1), 'one', { rows: 1, seats: 2, first: 'B' }), fresh].map((type) =>
      type.id === 'one' ? { ...type, rows: type.rows.filter(({ label }) => label !== 'A') } : type,
    )
    const [one, balcony, two] = writePlan(after, before)
    expect(one).toMatchObject({
      id: 'one',
      rows: [
        { label: 'B', seats: 2 },
        { label: 'A', seats: 0 },
      ],
    })
    expect(one).not.toHaveProperty('reservedSeating')
    expect(balcony).toMatchObject({ name: 'Balcony', reservedSeating: true })
    expect(two).toMatchObject({ id: 'two', totalQuantity: 0 })
  })

  test('[W79] a plan that was saved is read again, and a file that is none is refused as a whole', () => {
    const plan = planFrom([stalls, standing])
    const { types: again } = importPlan(exportPlan({ types: plan, shapes: [] }))
    expect(again.map(({ id, key, ...type }) => type)).toEqual(plan.map(({ id, key, ...type }) => type))
    expect(again.every(({ id }) => id === null)).toBe(true)
    for (const text of ['', '{}', '[]', '[{"name":1}]', '[{"name":"A","rows":[{"label":"A","seats":-1}]}]', '[null]']) {
      expect(() => importPlan(text)).toThrow()
    }
  })
})
