/**
 * Characters that no text may have: PostgreSQL cannot store NUL, half a surrogate pair is no character, and other
 * control characters change what a terminal, a log or a table shows. Line breaks and tabs are allowed in multi-line
 * text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_IN_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL_IN_TEXT.test(text)
}

/**
 * Where a value has a text or a field name that is not plain; null if nowhere. The nesting of bodies is bounded
 * already.
 */
export function findStrangeText(value: unknown, where: string): string | null {
  if (typeof value === 'string') return isPlainText(value) ? null : where
  if (typeof value !== 'object' || value === null) return null
  for (const [name, part] of Object.entries(value)) {
    const strange = isPlainText(name) ? findStrangeText(part, `${where}/${name}`) : where
    if (strange !== null) return strange
  }
  return null
}
