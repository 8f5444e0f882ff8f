import { showCalculator } from './calculator-form.ts'
import { startSearch } from './search.ts'

declare global {
  interface Window {
    seatwiseVersions?: readonly string[]
    seatwiseFigures?: Readonly<Record<string, number>>
    seatwiseIndex?: unknown
  }
}

offerVersions()
offerTheme()
startSearch()
const island = document.getElementById('calculator')
if (island !== null) showCalculator(island, window.seatwiseFigures ?? {})

function offerVersions(): void {
  const place = document.getElementById('versions')
  const versions = window.seatwiseVersions ?? []
  if (place === null || versions.length < 2) return
  const select = document.createElement('select')
  select.setAttribute('aria-label', 'Version')
  const current = place.textContent ?? ''
  for (const version of versions) select.add(new Option(version, version, false, version === current))
  select.addEventListener('change', () => {
    const { top = '.' } = document.documentElement.dataset
    location.href = `${top}/../${select.value}/index.html`
  })
  place.replaceChildren(select)
}

function offerTheme(): void {
  const button = document.getElementById('theme')
  if (button === null) return
  const { dataset } = document.documentElement
  button.hidden = false
  button.addEventListener('click', () => {
    const isDark = dataset.theme === '' ? matchMedia('(prefers-color-scheme: dark)').matches : dataset.theme === 'dark'
    dataset.theme = isDark ? 'light' : 'dark'
    localStorage.setItem('theme', dataset.theme)
  })
}
