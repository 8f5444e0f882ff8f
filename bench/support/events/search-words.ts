/**
 * What people type, each asked once so that no cache helps: words, names, beginnings, places with and without accents,
 * typing errors in all of them, common words, and nonsense.
 */
export function searchWords(): { kind: string; words: string }[] {
  const names = ['aurora', 'dvorak', 'requiem', 'cafe', 'trinh', 'dem nhac', '아이유', '콘서트', 'giselle', 'midnight']
  const places = ['ha noi', 'hanoi', 'praha', '서울', 'wien', 'lodz', 'sao paulo', 'tromso', 'da nang', 'koln']
  const wrong = [
    'auroar',
    'dvorka',
    'requeim',
    'midngiht',
    'giselel',
    'electirc',
    'reykjavk',
    'zurihc',
    'concret',
    'symphnoy',
  ]
  const pairs = (first: readonly string[], second: readonly string[]): string[] =>
    first.flatMap((one) => second.map((two) => `${one} ${two}`))
  return [
    ...kind('name', names),
    ...kind('place', places),
    ...kind('beginning', ['au', 'co', 'dvo', 'n', 'rei', '콘', 'jaz', 'fest', 'mat', 'tro']),
    ...kind('typing error', wrong),
    ...kind('name and place', pairs(names, places)),
    ...kind('name with a typing error and place', pairs(wrong, places)),
    ...kind(
      'very name',
      Array.from({ length: 20 }, (_, index) => `c${index * 997 + 1}`),
    ),
    ...kind('common words', [
      'the',
      'live',
      'in the heart of',
      'evening with',
      'show',
      'an evening with jazz',
      'doors open',
    ]),
    ...kind('nonsense', ['zzzz', 'qxqxqx', 'lorem ipsum dolor sit amet', '1 2 3', 'e s t', 'aaaaaaaaaaaaaaaa']),
  ]
}

const kind = (name: string, words: readonly string[]): { kind: string; words: string }[] =>
  words.map((one) => ({ kind: name, words: one }))
