import { render, type VNode } from 'preact'
import { tell, words } from '../console/kit/page.ts'
import { foreignZone } from '../console/kit/venue-clock.ts'
import { AdmitNow } from '../console/sale/admit-now.tsx'
import { ChartPanel } from '../console/sale/chart-panel.tsx'
import { Controls } from '../console/sale/controls.tsx'
import { PulseBoard } from '../console/sale/pulse-board.tsx'
import { pulse, sale, watchSale } from '../console/sale/sale-state.ts'
import { Tabs } from '../console/tabs/tabs.tsx'

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
          <AdmitNow />
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
