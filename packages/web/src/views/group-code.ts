/** A code in two groups, as people read it out and type it. */
export function groupCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
