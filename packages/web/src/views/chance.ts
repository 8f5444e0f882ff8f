/** How likely it is that something is left, in a word. */
export type Chance = 'sure' | 'likely' | 'fair' | 'poor' | 'small'

/** People who buy take about two seats: the usual measure at box offices, and what our rehearsals assume. */
const SEATS_EACH = 2

/**
 * What to say to a visitor with `ahead` people before them and `left` seats. Sure only if all of those may take
 * all they are allowed to, and something is left even then.
 */
export function chanceOf(ahead: number, left: number, seatsPerBuyerMax: number): Chance {
  if (left > ahead * seatsPerBuyerMax) return 'sure'
  if (left > ahead * SEATS_EACH) return 'likely'
  if (left > ahead * 1.2) return 'fair'
  return left * 2 > ahead ? 'poor' : 'small'
}
