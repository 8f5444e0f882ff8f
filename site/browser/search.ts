import MiniSearch, { type AsPlainObject, type SearchResult } from 'minisearch'
import { SEARCH_OPTIONS, type Section } from './search-options.ts'

const RESULTS_MAX = 12

/** The index is loaded when a reader first comes to the field; it is a script, because pages on a disk may fetch nothing. */
export function startSearch(): void {
  const field = document.getElementById('search') as HTMLInputElement | null
  const results = document.getElementById('results')
  if (field === null || results === null) return
  const { top = '.' } = document.documentElement.dataset
  let index: MiniSearch<Section> | null = null
  field.hidden = false
  field.addEventListener('focus', () => load(top, (loaded) => show(loaded)), { once: true })
  field.addEventListener('input', () => show(index))
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') results.querySelector('a')?.click()
    if (event.key === 'Escape') field.value = ''
    if (event.key === 'Escape') show(index)
    if (event.key === 'ArrowDown') results.querySelector('a')?.focus()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement instanceof HTMLInputElement) return
    event.preventDefault()
    field.focus()
  })

  function show(loaded: MiniSearch<Section> | null): void {
    if (results === null || field === null) return
    index = loaded
    const words = field.value.trim()
    results.hidden = words === '' || index === null
    const found = index === null || words === '' ? [] : index.search(words).slice(0, RESULTS_MAX)
    results.replaceChildren(...found.map((hit) => linkTo(hit, top)))
    if (found.length === 0) results.textContent = 'Nothing found.'
  }
}

function load(top: string, then: (index: MiniSearch<Section>) => void): void {
  const script = document.createElement('script')
  script.src = `${top}/search-index.js`
  script.addEventListener('load', () =>
    then(MiniSearch.loadJS<Section>(window.seatwiseIndex as AsPlainObject, SEARCH_OPTIONS)),
  )
  document.head.append(script)
}

function linkTo(hit: SearchResult, top: string): HTMLElement {
  const link = document.createElement('a')
  link.href = `${top}/${hit.id}`
  const title = document.createElement('strong')
  title.textContent = hit.title
  const page = document.createElement('small')
  page.textContent = hit.page
  const excerpt = document.createElement('span')
  excerpt.textContent = hit.excerpt
  link.append(title, ' ', page, excerpt)
  return link
}
