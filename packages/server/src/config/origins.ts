/** Origins of other sites, between commas, as browsers write them. */
export function readOrigins(name: string, text: string | null, problems: string[]): readonly string[] {
  const list = (text ?? '').split(',').map((part) => part.trim())
  const origins = list.filter((part) => part !== '')
  for (const origin of origins) {
    if (URL.parse(origin)?.origin === origin && /^https?:/.test(origin)) continue
    problems.push(`${name} must list origins such as https://www.example.com, without a path; "${origin}" is none.`)
  }
  return origins
}
