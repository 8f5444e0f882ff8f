/**
 * Free text travels between tabs and line ends, so it must not contain any. JSON does not; other text rarely does.
 */
export function escapeText(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n') : text
}

export function unescapeText(text: string): string {
  return text.includes('\\') ? text.replace(ESCAPED, (_, letter: string) => LETTERS[letter] ?? letter) : text
}

const SPECIAL = /[\t\n\\]/
const ESCAPED = /\\(.)/g
const LETTERS: Record<string, string> = { t: '\t', n: '\n' }
