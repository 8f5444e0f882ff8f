import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { page, words } from '../kit/page.ts'
import { sale } from '../sale/sale-state.ts'
import { CodesTab } from './codes-tab.tsx'
import { EntryTab } from './entry-tab.tsx'
import { PaymentsTab } from './payments-tab.tsx'
import { ReadyTab } from './ready-tab.tsx'
import { ReservationsTab } from './reservations-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { SettlementTab } from './settlement-tab.tsx'
import { FloorTable, LineTable } from './ticket-tables.tsx'
import { TrailTab } from './trail-tab.tsx'

interface Tab {
  readonly name: keyof typeof words.tabs
  readonly show: () => VNode | null
  /** Only where an event is sold, or only for those who change things. */
  readonly needs?: 'event' | 'change' | 'both'
}

const TABS: readonly Tab[] = [
  { name: 'line', show: LineTable },
  { name: 'floor', show: FloorTable },
  { name: 'reservations', show: ReservationsTab, needs: 'both' },
  { name: 'payments', show: PaymentsTab, needs: 'both' },
  { name: 'settlement', show: SettlementTab, needs: 'both' },
  { name: 'codes', show: CodesTab, needs: 'change' },
  { name: 'entry', show: EntryTab },
  { name: 'settings', show: SettingsTab },
  { name: 'ready', show: ReadyTab, needs: 'event' },
  { name: 'trail', show: TrailTab },
]

/** Everything that is not needed at every moment. The address remembers which one is open. */
export function Tabs(): VNode | null {
  const tabs = TABS.filter(isShown)
  const [open, setOpen] = useState(() => tabs.find(({ name }) => location.hash === `#${name}`) ?? tabs[0])
  const choose = (tab: Tab | undefined): void => {
    if (tab === undefined) return
    setOpen(tab)
    history.replaceState(null, '', `#${tab.name}`)
    document.getElementById(`tab-${tab.name}`)?.focus()
  }
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key]
    if (step === undefined || open === undefined) return
    event.preventDefault()
    const wanted = tabs.indexOf(open) + step
    const next =
      Math.abs(step) === 1 ? (wanted + tabs.length) % tabs.length : Math.min(Math.max(wanted, 0), tabs.length - 1)
    choose(tabs[next])
  }
  if (open === undefined) return null
  return (
    <section class="tabs">
      <div role="tablist" aria-label={words.tabs.label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`tab-${tab.name}`}
            aria-selected={tab === open}
            aria-controls="tab-panel"
            tabIndex={tab === open ? 0 : -1}
            onClick={() => choose(tab)}
          >
            {words.tabs[tab.name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${open.name}`}>
        <open.show key={open.name} />
      </div>
    </section>
  )
}

function isShown({ needs }: Tab): boolean {
  const isEvent = sale.kind === 'event'
  if (needs === 'event') return isEvent
  if (needs === 'change') return page.mayChange
  return needs === undefined || (isEvent && page.mayChange)
}
