/** The order decides: most browsers also name those that they descend from. */
const BROWSERS: ReadonlyArray<readonly [name: string, mark: RegExp]> = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Whale', /\bWhale\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const SYSTEMS: ReadonlyArray<readonly [name: string, mark: RegExp]> = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
/** Of a program's name. */
const LENGTH_MAX = 60

/** Browser and system of a user agent, as its owner recognises them: "Firefox · Linux". Empty when it tells neither. */
export function describeDevice(userAgent: string | undefined): string {
  const text = userAgent ?? ''
  const names = [BROWSERS, SYSTEMS].flatMap((list) => list.find(([, mark]) => mark.test(text))?.[0] ?? [])
  if (names.length > 0) return names.join(' · ')
  return (/^[\w.-]+/.exec(text)?.[0] ?? '').slice(0, LENGTH_MAX)
}
