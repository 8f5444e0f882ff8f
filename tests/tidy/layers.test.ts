import { expect, it } from 'vitest'
import {
  type FolderOrder,
  folderCycles,
  foldersBesideTheOrder,
  importsAgainstTheOrder,
  importsPastADoor,
  readFolderOrders,
} from './rules/layers.ts'
import { readSources, type Source } from './sources.ts'

const sources = readSources()
const orders = readFolderOrders(sources)

it('[H30] the folders of a package import in the order that ARCHITECTURE.md lists', () => {
  expect(orders.map((order) => order.package)).toContain('server')
  for (const order of orders) {
    expect(order.folders.length).toBeGreaterThan(1)
    expect(foldersBesideTheOrder(sources, order)).toEqual([])
    expect(importsAgainstTheOrder(sources, order)).toEqual([])
    expect(folderCycles(sources, order)).toEqual([])
  }
})

it('[H30 control] an import downwards, of a type too, a cycle, and a list beside the folders are found', () => {
  const up = file('rooms/room.ts', "import { wait } from '../kit/index.ts'\n")
  const down = (word: string) => file('kit/wait.ts', `${word} { Room } from '../rooms/index.ts'\n`)
  expect(importsAgainstTheOrder([up], order)).toEqual([])
  expect(importsAgainstTheOrder([down('import')], order)).toHaveLength(1)
  expect(importsAgainstTheOrder([down('import type')], order)).toHaveLength(1)
  expect(importsAgainstTheOrder([down('export')], order)).toHaveLength(1)
  expect(folderCycles([up], order)).toEqual([])
  expect(folderCycles([up, down('import type')], order)).toEqual(['a cycle: rooms → kit → rooms'])
  const all = [file('index.ts', ''), file('kit/wait.ts', ''), up]
  expect(foldersBesideTheOrder(all, order)).toEqual([])
  expect(foldersBesideTheOrder([...all, file('push/hub.ts', '')], order)).toHaveLength(1)
  expect(foldersBesideTheOrder([...all, file('wait.ts', '')], order)).toHaveLength(1)
  expect(foldersBesideTheOrder([file('kit/wait.ts', '')], order)).toHaveLength(1)
  expect(foldersBesideTheOrder(all, { ...order, folders: ['kit', 'rooms', 'kit'] })).toHaveLength(1)
})

it('[H31] a folder with a place in the order is entered by its door', () => {
  for (const order of orders) expect(importsPastADoor(sources, order)).toEqual([])
})

it('[H31 control] a path past a door is found; inside a folder, and from the door of the package, there is none', () => {
  const past = "import { wait } from '../kit/wait.ts'\n"
  expect(importsPastADoor([file('rooms/room.ts', past)], order)).toHaveLength(1)
  expect(importsPastADoor([file('rooms/room.ts', past.replace('import', 'import type'))], order)).toHaveLength(1)
  expect(importsPastADoor([file('rooms/room.ts', past.replace('wait.ts', 'index.ts'))], order)).toEqual([])
  expect(importsPastADoor([file('rooms/log/tail.ts', past.replace('kit', 'rooms'))], order)).toEqual([])
  expect(importsPastADoor([file('rooms/log/tail.ts', past.replace('..', '../..'))], order)).toHaveLength(1)
  expect(importsPastADoor([file('index.ts', past.replace('..', '.'))], order)).toEqual([])
})

it('[H30] [H31 control] the order is read from the section of the package', () => {
  const text =
    '### Folders of packages/shop, in order\n\n| folder | what |\n| --- | --- |\n| `kit` | a |\n| `rooms` | b |\n'
  expect(readFolderOrders([{ path: 'ARCHITECTURE.md', text }])).toEqual([order])
  expect(readFolderOrders([{ path: 'ARCHITECTURE.md', text: '# Architecture\n' }])).toEqual([])
})

const order: FolderOrder = { package: 'shop', folders: ['kit', 'rooms'] }

function file(path: string, text: string): Source {
  return { path: `packages/shop/src/${path}`, text }
}
