import { expect, it } from 'vitest'
import { idleRetirements, type RetiredName, readRetiredNames, retiredNamesInUse, unclearWords } from './rules/words.ts'
import { readSources, type Source } from './sources.ts'

const sources = readSources()
const FOLDER = 'packages/line'

it('[H51] no name that ARCHITECTURE.md retires comes back, and every word of its glossary has one meaning', () => {
  const retired = readRetiredNames(sources)
  expect(retired.map(({ name }) => name)).toEqual(expect.arrayContaining(['standing', 'settlePayment', "'claimed'"]))
  expect(idleRetirements(sources, retired)).toEqual([])
  expect(retiredNamesInUse(sources, retired)).toEqual([])
  expect(unclearWords(sources)).toEqual([])
})

it('[H51 control] a retired name is found in declarations, file names and texts, and only there', () => {
  const uses = (name: string, file: string, text: string) =>
    retiredNamesInUse([code(file, text)], [{ name, folders: [FOLDER], instead: 'another' }])
  expect(uses('settleTicket', 'src/end.ts', 'export function settleTicket() {}')).toHaveLength(1)
  expect(uses('settleTicket', 'src/end.ts', 'const settleTicketLater = 1')).toHaveLength(1)
  expect(uses('settleTicket', 'lua/end.lua', 'local function settle_ticket(room) end')).toHaveLength(1)
  expect(uses('settleTicket', 'src/settle-ticket.ts', '')).toHaveLength(1)
  expect(uses('settleTicket', 'src/settle.ts', 'export function settle() {} // settleTicket')).toEqual([])
  expect(uses('standing', 'src/memory.ts', 'export interface Standing {}')).toHaveLength(1)
  expect(uses('standing', 'src/memory.ts', 'const outstanding = 1')).toEqual([])
  expect(uses("'claimed'", 'lua/enter.lua', "append(room, 'claimed\\t%d')")).toHaveLength(1)
  expect(uses("'claimed'", 'lua/enter.lua', "-- claimed, 'claimedAt'")).toEqual([])
  expect(uses('claim.lua', 'lua/claim.lua', '')).toHaveLength(1)
  expect(uses('claim.lua', 'lua/enter.lua', 'local claim = 1')).toEqual([])
})

it('[H51 control] other folders may use the name, and a row that checks nothing is found', () => {
  const retired: RetiredName = { name: 'standing', folders: ['packages/shop'], instead: 'position' }
  const used = code('src/place.ts', 'type Standing = 1')
  expect(retiredNamesInUse([used], [retired])).toEqual([])
  expect(idleRetirements([used], [retired])).toHaveLength(1)
  expect(idleRetirements([used], [{ ...retired, folders: [FOLDER] }])).toEqual([])
  expect(idleRetirements([used], [{ ...retired, folders: [FOLDER], instead: '' }])).toHaveLength(1)
  expect(idleRetirements([used], [{ ...retired, folders: [] }])).toHaveLength(1)
})

it('[H51 control] the tables are read, and a word with two rows or without a meaning is found', () => {
  const glossary = (rows: string) => `### Glossary\n\n| word | meaning |\n| --- | --- |\n${rows}\n`
  const names = '### Retired names\n\n| where | retired | instead |\n| --- | --- | --- |\n| `a`, `b` | `c`, `d` | e |\n'
  const paper = (text: string): Source => ({ path: 'ARCHITECTURE.md', text })
  expect(readRetiredNames([paper(names)])).toEqual([
    { name: 'c', folders: ['a', 'b'], instead: 'e' },
    { name: 'd', folders: ['a', 'b'], instead: 'e' },
  ])
  expect(unclearWords([paper(glossary('| room | one |\n| line | two |'))])).toEqual([])
  expect(unclearWords([paper(glossary('| room | one |\n| room | two |'))])).toHaveLength(1)
  expect(unclearWords([paper(glossary('| room | |'))])).toHaveLength(1)
})

function code(file: string, text: string): Source {
  return { path: `${FOLDER}/${file}`, text }
}
