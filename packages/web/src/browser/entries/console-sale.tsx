import { render, type VNode } from 'preact'
import { ChartPanel } from '../console/chart-panel.tsx'
import { Controls } from '../console/controls.tsx'
import { tell, words } from '../console/page.ts'
import { PulseBoard } from '../console/pulse-board.tsx'
import { pulse, sale, watchSale } from '../console/sale-state.ts'
import { Tabs } from '../console/tabs.tsx'
import { foreignZone } from '../console/venue-clock.ts'

/** One sale on one screen. */
function Sale(): VNode {
  const now = pulse.value
  return (
    <>
      <p class="phase" role="status">
        {now !== null && <span class={`chip ${now.phase}`}>{words.phase[now.phase]}</span>} <VenueTimes />
      </p>
      <div class="sale-grid">
        <div class="sale-main">
          <PulseBoard />
          <ChartPanel hasSeats={sale.kind === 'event'} />
        </div>
        <div class="sale-side">
          <Controls />
        </div>
      </div>
      <Tabs />
      <a class="button main to-controls no-print" href="#controls">
        {words.controls.title}
      </a>
    </>
  )
}

/** Shown only to operators in another time zone. */
function VenueTimes(): VNode | null {
  const zone = foreignZone(Date.now())
  return zone === null ? null : <span class="quiet small">{tell(words.venueTimes, { zone })}</span>
}

const root = document.getElementById('sale')
if (root !== null) {
  root.textContent = ''
  render(<Sale />, root)
  watchSale()
}
