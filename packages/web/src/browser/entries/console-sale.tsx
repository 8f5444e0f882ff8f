import { render, type VNode } from 'preact'
import { ChartPanel } from '../console/chart-panel.tsx'
import { Controls } from '../console/controls.tsx'
import { words } from '../console/page.ts'
import { PulseBoard } from '../console/pulse-board.tsx'
import { pulse, sale, watchSale } from '../console/sale-state.ts'
import { Tabs } from '../console/tabs.tsx'

/** One sale on one screen. */
function Sale(): VNode {
  const now = pulse.value
  return (
    <>
      <p class="phase" role="status">
        {now !== null && <span class={`chip ${now.phase}`}>{words.phase[now.phase]}</span>}
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

const root = document.getElementById('sale')
if (root !== null) {
  root.textContent = ''
  render(<Sale />, root)
  watchSale()
}
