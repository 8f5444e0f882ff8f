import { type House, openHouse } from '@seatwise/testbench'
import { afterAll, beforeAll } from 'vitest'

/** One server for all suites of the file that imports them. */
export function theHouse(): House {
  if (house === null) throw new Error('The house opens before the tests')
  return house
}

let house: House | null = null

beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())
