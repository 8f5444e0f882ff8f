import type { Phase } from '../kit/answers.ts'
import { call } from '../kit/api.ts'
import { formatCount } from '../kit/format.ts'
import { words } from '../kit/page.ts'

interface Sale {
  readonly id: string
  readonly phase: Phase | null
  readonly waiting: number | null
  readonly active: number | null
  readonly sold: number
  readonly available: number
}

const LOOK_MS = 3_000
const FIELDS = ['waiting', 'active', 'sold', 'available'] as const

/** Keeps the figures in the list as they are now, in the rows that the server has written. */
export function watchSales(): void {
  const query = new URLSearchParams(location.search)
  const asked = new URLSearchParams({ q: query.get('q') ?? '', offset: query.get('offset') ?? '0' })
  const look = async (): Promise<void> => {
    if (!document.hidden) {
      const { items } = await call<{ items: Sale[] }>('GET', `/api/console/sales?${asked}`).catch(() => ({ items: [] }))
      items.forEach(show)
    }
    setTimeout(look, LOOK_MS)
  }
  void look()
}

function show(sale: Sale): void {
  const row = document.querySelector(`[data-sale="${sale.id}"]`)
  for (const name of FIELDS) {
    const cell = row?.querySelector(`[data-field=${name}]`)
    const value = sale[name]
    if (cell) cell.textContent = value === null ? '–' : formatCount(value)
  }
  const chip = row?.querySelector<HTMLElement>('[data-field=phase]')
  if (!chip || sale.phase === null) return
  chip.hidden = false
  chip.className = `chip ${sale.phase}`
  chip.textContent = words.phase[sale.phase]
}
