/** One dot of the drawn line. */
export interface Dot {
  /** Stays with whom it stands for, so that a dot moves when the line does. */
  readonly key: string
  readonly who: 'ahead' | 'you' | 'behind'
  readonly x: number
  readonly y: number
}

export interface LineDrawing {
  readonly dots: readonly Dot[]
  /** How many people one dot stands for. */
  readonly peoplePerDot: number
}

export const DRAWING = { width: 1000, height: 150, doorX: 40 } as const
const AHEAD_MAX = 28
const BEHIND_MAX = 7
const STEP = 25
const FIRST_X = 85

/** The line from the door to you and those behind you, as dots along a gentle curve. */
export function drawLine(position: number, waiting: number): LineDrawing {
  const ahead = Math.max(0, position - 1)
  const peoplePerDot = Math.max(1, Math.ceil(ahead / AHEAD_MAX))
  const aheadDots = Math.ceil(ahead / peoplePerDot)
  const behindDots = Math.min(BEHIND_MAX, Math.ceil(Math.max(0, waiting - position) / peoplePerDot))
  const dots: Dot[] = []
  for (let index = 0; index < aheadDots + 1 + behindDots; index += 1) {
    const fromYou = index - aheadDots
    const who = fromYou < 0 ? 'ahead' : fromYou === 0 ? 'you' : 'behind'
    dots.push({ key: `${fromYou}`, who, ...pointAt(index) })
  }
  return { dots, peoplePerDot }
}

function pointAt(index: number): { x: number; y: number } {
  const x = FIRST_X + index * STEP
  return { x, y: Math.round(70 + 26 * Math.sin(x / 95)) }
}
