/** A code in groups of four, as people read it out and type it. */
export function groupCode(code: string): string {
  return code.match(/.{1,4}/g)?.join('-') ?? ''
}
