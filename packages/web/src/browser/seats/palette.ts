/** The colours of the page, as a canvas needs them. */
export interface Palette {
  readonly paper: string
  readonly ink: string
  readonly edge: string
  readonly rule: string
  readonly letters: string
  /** One for each price; more prices than colours go round again, with another pattern. */
  readonly types: readonly string[]
}

/** Apart for every common kind of colour blindness, and dark or light enough for the paper. */
const TYPES_LIGHT = ['#8a2b36', '#1f5f8b', '#356b2d', '#7a4a9c', '#8a5a00', '#0f6b6b']
const TYPES_DARK = ['#e58d92', '#7fb4dc', '#93c983', '#c3a0e0', '#e0b45c', '#70c9c4']

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string): string => style.getPropertyValue(name).trim()
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  return {
    paper: read('--paper'),
    ink: read('--ink'),
    edge: read('--edge'),
    rule: read('--rule'),
    letters: read('--letters'),
    types: isDark ? TYPES_DARK : TYPES_LIGHT,
  }
}

/** The shapes of patterns, on a tile of eight by eight; the first price has none. */
const PATTERNS: readonly ((tile: CanvasRenderingContext2D) => void)[] = [
  () => {},
  (tile) => {
    tile.moveTo(-2, 10)
    tile.lineTo(10, -2)
    tile.moveTo(-6, 6)
    tile.lineTo(6, -6)
    tile.moveTo(2, 14)
    tile.lineTo(14, 2)
  },
  (tile) => {
    tile.arc(4, 4, 1.2, 0, 2 * Math.PI)
  },
  (tile) => {
    tile.moveTo(0, 4)
    tile.lineTo(8, 4)
  },
  (tile) => {
    tile.moveTo(4, 0)
    tile.lineTo(4, 8)
  },
  (tile) => {
    tile.moveTo(0, 4)
    tile.lineTo(8, 4)
    tile.moveTo(4, 0)
    tile.lineTo(4, 8)
  },
]

const made = new Map<string, CanvasPattern | null>()

/** Price is colour and pattern: visitors who cannot tell the colours apart see the pattern. */
export function patternOf(context: CanvasRenderingContext2D, tone: number, palette: Palette): CanvasPattern | null {
  const kind = tone % PATTERNS.length
  const key = `${kind} ${palette.paper}`
  if (kind === 0) return null
  const known = made.get(key)
  if (known !== undefined) return known
  const canvas = document.createElement('canvas')
  canvas.width = 8
  canvas.height = 8
  const tile = canvas.getContext('2d')
  if (tile !== null) {
    tile.strokeStyle = palette.paper
    tile.lineWidth = 1.4
    tile.beginPath()
    PATTERNS[kind]?.(tile)
    tile.stroke()
  }
  const pattern = context.createPattern(canvas, 'repeat')
  made.set(key, pattern)
  return pattern
}
