/** The papers of the pages, light and dark; `tokens.css` has the same. */
export const PAPER = { light: '#f8f3ea', dark: '#16120f' } as const
/** What WCAG 2.2 asks of text. */
const CONTRAST_MIN = 4.5

export interface Accent {
  /** For text and edges on light paper. */
  readonly light: string
  readonly dark: string
  /** The colour of words on it. */
  readonly onLight: string
  readonly onDark: string
}

type Rgb = readonly [number, number, number]

/**
 * An organiser's colour in the shades that can be read on our papers: darker for light paper, lighter for dark, only as
 * much as needed. So whatever colour they have, their page is legible. Null for what is no colour.
 */
export function accentFrom(hex: string): Accent | null {
  const colour = readHex(hex)
  if (colour === null) return null
  const light = shade(colour, PAPER.light, [0, 0, 0])
  const dark = shade(colour, PAPER.dark, [255, 255, 255])
  return { light, dark, onLight: inkOn(light), onDark: inkOn(dark) }
}

/** The style that gives a page its colour; nothing in it comes from outside but digits of colours. */
export function accentStyle({ light, dark, onLight, onDark }: Accent): string {
  const set = (accent: string, ink: string) => `:root{--accent:${accent};--on-accent:${ink}}`
  return `${set(light, onLight)}@media(prefers-color-scheme:dark){${set(dark, onDark)}}`
}

export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(readHex(one) ?? [0, 0, 0]), luminance(readHex(other) ?? [0, 0, 0])]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const STEPS = 50

function shade(colour: Rgb, paper: string, towards: Rgb): string {
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = writeHex(mix(colour, towards, step / STEPS))
    if (contrast(mixed, paper) >= CONTRAST_MIN) return mixed
  }
  return writeHex(towards)
}

function inkOn(colour: string): string {
  return contrast(colour, '#ffffff') >= contrast(colour, PAPER.dark) ? '#ffffff' : PAPER.dark
}

function mix([r, g, b]: Rgb, [towardsR, towardsG, towardsB]: Rgb, share: number): Rgb {
  const part = (from: number, to: number) => Math.round(from + (to - from) * share)
  return [part(r, towardsR), part(g, towardsG), part(b, towardsB)]
}

function luminance([r, g, b]: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

function readHex(text: string): Rgb | null {
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1]
  if (digits === undefined) return null
  const value = Number.parseInt(digits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function writeHex([r, g, b]: Rgb): string {
  return `#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1)}`
}
