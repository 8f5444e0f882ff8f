/** What may be part of a deployment. LGPL and MPL: libraries that we use unchanged, each a package of its own. */
const SHIPPED = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
    'OFL-1.1',
  ],
  ...['LGPL-3.0-or-later', 'MPL-2.0'],
]
/** What only builds and tests may use, in addition. */
const TOOLS = [...SHIPPED, 'EPL-2.0']
/** Packages whose manifest names no licence, with the one that they contain. */
const TOLD_ELSEWHERE = { 'png-js': 'MIT' }

/** The packages of a lock file by use and licence, and sentences about those that may not be there. */
export function licencesOf(lock) {
  const groups = new Map()
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules/') || entry.link) continue
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const use = entry.dev || entry.devOptional ? 'tools' : 'shipped'
    const licence = entry.license ?? TOLD_ELSEWHERE[name] ?? 'none'
    const key = `${use} ${licence}`
    if (!groups.has(key)) groups.set(key, { use, licence, names: new Set() })
    groups.get(key).names.add(name)
  }
  const rows = [...groups]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([, { use, licence, names }]) => ({ use, licence, names: [...names].toSorted() }))
  const findings = rows
    .filter(({ use, licence }) => !isAccepted(licence, use === 'tools' ? TOOLS : SHIPPED))
    .flatMap(({ use, licence, names }) =>
      names.map((name) => `${name} (${use}) has the licence ${licence}, which we have not accepted`),
    )
  return { rows, findings }
}

/** Of alternatives one is enough; of several together all must be accepted. */
function isAccepted(licence, accepted) {
  const plain = licence.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((part) => accepted.includes(part)))
}
