import { waitUntil } from '@seatwise/testbench'
import { afterEach, expect, it } from 'vitest'
import { type SharedTabs, shareTabs } from '../src/device/tabs.ts'
import type { Tabs } from '../src/types.ts'
import { TestPage } from './support/virtual-time.ts'

/** The platform's own locks and channels, which Node has as browsers do. */
const tabs: Tabs = {
  locks: navigator.locks,
  openChannel: (name) => new BroadcastChannel(name),
}

class Tab {
  readonly page = new TestPage()
  readonly heard: string[] = []
  isLeading = false
  readonly #shared: SharedTabs<string>

  constructor(name: string, isHidden = false) {
    this.page.hide(isHidden)
    this.#shared = shareTabs<string>({
      ...{ tabs, name, page: this.page },
      lead: () => {
        this.isLeading = true
      },
      follow: () => {
        this.isLeading = false
      },
      hear: (news) => this.heard.push(news),
    })
    opened.push(this)
  }

  tell(news: string): void {
    this.#shared.tell(news)
  }

  close(): void {
    this.isLeading = false
    this.#shared.close()
  }
}

const opened: Tab[] = []
afterEach(() => {
  for (const tab of opened.splice(0)) tab.close()
})

const leaders = (all: readonly Tab[]) => all.filter(({ isLeading }) => isLeading)
const untilLeads = (tab: Tab, all: readonly Tab[]) =>
  waitUntil('the right tab leads, alone', () => tab.isLeading && leaders(all).length === 1)

it('[K17] of many tabs one leads, and what it tells is heard by all the others', async () => {
  const all = [new Tab('one'), new Tab('one', true), new Tab('one', true)]
  const [first] = all
  if (first === undefined) throw new Error('There must be a tab')
  await untilLeads(first, all)
  first.tell('moved')
  await waitUntil('the others heard it', () => all.filter(({ heard }) => heard.includes('moved')).length === 2)
  expect(first.heard).toEqual([])
})

it('[K17] when the one that leads closes, another goes on', async () => {
  const all = [new Tab('two', true), new Tab('two', true), new Tab('two', true)]
  for (let left = all.length; left > 0; left--) {
    await waitUntil('one leads', () => leaders(all).length === 1)
    leaders(all)[0]?.close()
  }
  expect(leaders(all)).toEqual([])
})

it('[K17] a tab that is looked at takes the lead from one that is not', async () => {
  const [first, second] = [new Tab('three'), new Tab('three', true)]
  const all = [first, second]
  await untilLeads(first, all)
  // Switching from one to the other, in the order in which browsers tell it, and back.
  first.page.hide(true)
  second.page.hide(false)
  await untilLeads(second, all)
  second.page.hide(true)
  first.page.hide(false)
  await untilLeads(first, all)
  // Two windows side by side: the one that is minimised hands over to the one that is seen.
  second.page.hide(false)
  await untilLeads(second, all)
  second.page.hide(true)
  await untilLeads(first, all)
})

it('[K17] a hidden tab never takes the lead from another tab', async () => {
  const [first, second] = [new Tab('four', true), new Tab('four', true)]
  const all = [first, second]
  await waitUntil('one leads', () => leaders(all).length === 1)
  const leader = leaders(all)[0]
  const other = all.find((tab) => tab !== leader)
  for (let changes = 0; changes < 5; changes++) other?.page.hide(true)
  // Whatever the changes set going was set going before this, and arrives before it.
  leader?.tell('still here')
  await waitUntil('the other heard it', () => other?.heard.length === 1)
  expect(leaders(all)).toEqual([leader])
})

it('[K17] tabs of another place share nothing', async () => {
  const [one, other] = [new Tab('five'), new Tab('six')]
  await waitUntil('both lead', () => leaders([one, other]).length === 2)
  const witness = new Tab('six', true)
  one.tell('five moved')
  other.tell('six moved')
  await waitUntil('the witness heard', () => witness.heard.length > 0)
  expect(witness.heard).toEqual(['six moved'])
})
