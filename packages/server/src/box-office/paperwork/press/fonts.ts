import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Noto Sans has Latin with all Vietnamese letters, Greek and Cyrillic; Nanum Gothic has Hangul. Both are under the Open
 * Font License. pdfkit embeds only the glyphs that a document uses.
 */
const FILES = {
  latin: import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  latinStrong: import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  korean: import.meta.resolve('@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf'),
  koreanStrong: import.meta.resolve('@expo-google-fonts/nanum-gothic/700Bold/NanumGothic_700Bold.ttf'),
} as const

type Face = keyof typeof FILES
type Script = 'latin' | 'korean'

/** In place of a character that no font has, such as an emoji. */
const MISSING = '?'

/** Characters that are drawn with one font. */
export interface Run {
  readonly face: Face
  readonly text: string
}

/** The part of pdfkit that opens fonts; `_font` is the font that was selected last. */
interface FontUser {
  registerFont(name: string, source: Buffer): unknown
  font(name: string): unknown
}

const files = new Map<Face, Buffer>()
const covered = new Map<Script, ReadonlySet<number>>()

/** Registers the fonts with a document; a font that no text needs is never opened. */
export function registerFonts(document: FontUser): void {
  for (const face of Object.keys(FILES) as Face[]) document.registerFont(face, fileOf(face))
}

/** Learns once which characters the fonts have. It opens fonts, so the document must be one that is thrown away. */
export function learnCoverage(open: () => FontUser): void {
  if (covered.size > 0) return
  const scratch = open()
  registerFonts(scratch)
  for (const script of ['latin', 'korean'] as const) covered.set(script, coverageOf(scratch, script))
}

/** Splits text into runs by which font has the character. pdfkit itself would draw an empty box instead. */
export function splitRuns(text: string, isStrong: boolean): Run[] {
  const runs: { script: Script; text: string }[] = []
  for (const character of text.normalize('NFC')) {
    const last = runs.at(-1)
    const script = scriptOf(character)
    const drawn = script === null ? MISSING : character
    const face = script ?? 'latin'
    if (last?.script === face) last.text += drawn
    else runs.push({ script: face, text: drawn })
  }
  return runs.map((run) => ({ face: isStrong ? `${run.script}Strong` : run.script, text: run.text }))
}

function scriptOf(character: string): Script | null {
  const point = character.codePointAt(0) ?? 0
  if (covered.get('latin')?.has(point)) return 'latin'
  return covered.get('korean')?.has(point) ? 'korean' : null
}

function fileOf(face: Face): Buffer {
  const known = files.get(face)
  if (known !== undefined) return known
  const file = readFileSync(fileURLToPath(FILES[face]))
  files.set(face, file)
  return file
}

/** pdfkit does not say which characters a font has; the font that it opened does. */
function coverageOf(document: FontUser, script: Script): ReadonlySet<number> {
  document.font(script)
  const { _font } = document as { _font?: { font?: { characterSet?: readonly number[] } } }
  const points = _font?.font?.characterSet
  if (points === undefined || points.length === 0) throw new Error('pdfkit keeps its fonts in another place')
  return new Set(points)
}
