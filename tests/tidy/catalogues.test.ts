import { ROOM_DEFAULTS, ROOM_LIMITS } from '@seatwise/domain'
import { expect, it } from 'vitest'
import {
  environmentReaders,
  errorsBesideTheirDocument,
  roomSettingsBesideTheirDocument,
  settingsBesideTheirDocument,
} from './rules/catalogues.ts'
import { isProduct, readSources } from './sources.ts'

const sources = readSources()

it('[H9] only the configuration looks at the environment', () => {
  expect(sources.filter(({ path }) => isProduct(path)).length).toBeGreaterThan(10)
  expect(environmentReaders(sources)).toEqual([])
})

it('[H9 control] another reader is found', () => {
  expect(
    environmentReaders([{ path: 'packages/ledger/src/a.ts', text: 'const url = process.env.DATABASE_URL' }]),
  ).toHaveLength(1)
  expect(
    environmentReaders([{ path: 'packages/ledger/src/a.ts', text: "import { env } from 'node:process'" }]),
  ).toHaveLength(1)
})

it('[H10] every documented setting is read, and every setting that is read is documented', () => {
  expect(settingsBesideTheirDocument(sources)).toEqual([])
})

it('[H10 control] a setting on one side only is found', () => {
  const settings = (documented: string, read: string) => [
    {
      path: 'docs/settings.md',
      text: `| setting | meaning |\n| --- | --- |\n| \`PORT\`, \`${documented}\` | where it listens |\n`,
    },
    { path: 'packages/server/src/config/config.ts', text: `port('PORT', '3000')\nhost('${read}', '127.0.0.1')\n` },
  ]
  expect(settingsBesideTheirDocument(settings('HOST', 'HOST'))).toEqual([])
  expect(settingsBesideTheirDocument(settings('HOST', 'SEATWISE_DEMO'))).toEqual([
    'HOST is in docs/settings.md but not in packages/server/src/config/config.ts',
    'SEATWISE_DEMO is in packages/server/src/config/config.ts but not in docs/settings.md',
  ])
})

it('[H11] every error code is documented once, and every documented code exists', () => {
  expect(errorsBesideTheirDocument(sources)).toEqual([])
})

it('[H11 control] a code on one side only, or with two rows, is found', () => {
  const errors = (...documented: string[]) => [
    {
      path: 'docs/errors.md',
      text: ['| code | status |', '| --- | --- |', ...documented.map((code) => `| \`${code}\` | 409 |`), ''].join('\n'),
    },
    {
      path: 'packages/domain/src/errors.ts',
      text: "const CATALOG = {\n  SOLD_OUT: { status: 409, message: '' },\n}\n",
    },
  ]
  expect(errorsBesideTheirDocument(errors('SOLD_OUT'))).toEqual([])
  expect(errorsBesideTheirDocument(errors('SEAT_TAKEN'))).toHaveLength(2)
  expect(errorsBesideTheirDocument(errors('SOLD_OUT', 'SOLD_OUT'))).toEqual(['SOLD_OUT has two rows in docs/errors.md'])
})

it('[H25] docs/rooms.md states every room setting with the default and the range in force', () => {
  expect(roomSettingsBesideTheirDocument(sources, { ...ROOM_DEFAULTS }, ROOM_LIMITS)).toEqual([])
})

it('[H25 control] a setting that is missing, invented or stated wrongly is found', () => {
  const text = (row: string) => [
    { path: 'docs/rooms.md', text: `# settings\n| a | b | c | d |\n| - | - | - | - |\n${row}\n` },
  ]
  const judge = (row: string) =>
    roomSettingsBesideTheirDocument(text(row), { guests: true, burst: 1_000 }, { burst: { min: 1, max: 9_000 } })
  const burst = '| `burst` | at once | 1,000 | 1 to 9,000 |'
  const guests = '| `guests` | who | `true` | |'
  expect(judge(`${guests}\n${burst}`)).toEqual([])
  expect(judge(guests)).toEqual(['`burst` is in ROOM_DEFAULTS but not in docs/rooms.md'])
  expect(judge(`${guests}\n${burst}\n| \`other\` | what | 1 | |`)).toHaveLength(1)
  expect(judge(`${guests.replace('true', 'false')}\n${burst}`)).toHaveLength(1)
  expect(judge(`${guests}\n${burst.replace('9,000', '9,999')}`)).toHaveLength(1)
})
