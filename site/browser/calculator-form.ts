import { type Figures, type Sale, sizeSale } from './size-sale.ts'

const FIELDS: readonly [name: keyof Sale, label: string, value: number, min: number, max: number][] = [
  ['visitors', 'Visitors', 1_000_000, 1, 10_000_000],
  ['seats', 'Seats', 20_000, 1, 1_000_000],
  ['seatsPerOrder', 'Seats in an order', 2, 1, 100],
  ['arrivalMinutes', 'They arrive within, minutes', 30, 1, 1_440],
  ['ratePerMinute', 'Admissions a minute', 600, 1, 1_000_000],
  ['stayMinutes', 'A buyer is inside for, minutes', 4, 0.1, 1_440],
]

export function showCalculator(place: HTMLElement, figures: Figures): void {
  const form = document.createElement('form')
  form.className = 'calculator'
  for (const [name, label, value, min, max] of FIELDS) {
    const field = document.createElement('label')
    const input = Object.assign(document.createElement('input'), { name, type: 'number', step: 'any' })
    Object.assign(input, { min: String(min), max: String(max), value: String(value), required: true })
    field.append(label, input)
    form.append(field)
  }
  const told = document.createElement('table')
  told.setAttribute('aria-live', 'polite')
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', () => form.checkValidity() && tell(read(form)))
  place.append(form, told)
  tell(read(form))

  function tell(sale: Sale): void {
    const size = sizeSale(sale, figures)
    const rows: [string, string][] = [
      ['Joins a second, at the peak', whole(size.joinsPerSecond)],
      ['Server processes, half loaded', whole(size.processes)],
      ['Redis, for the line', `${whole(size.redisMegabytes)} MB`],
      ['Capacity of the room', whole(size.capacity)],
      [
        'Orders a second, at most',
        `${size.reservationsPerSecond.toFixed(1)}: ${percent(size.ledgerShare)} of what one PostgreSQL took`,
      ],
      ['Sold out after, at the earliest', `${whole(size.soldOutMinutes)} minutes`],
      ['Requests a second that a CDN takes', whole(size.cdnRequestsPerSecond)],
    ]
    told.replaceChildren(
      ...rows.map(([what, figure]) => {
        const row = document.createElement('tr')
        row.append(cell('th', what), cell('td', figure))
        return row
      }),
    )
  }
}

function read(form: HTMLFormElement): Sale {
  const data = new FormData(form)
  const of = (name: keyof Sale): number => Number(data.get(name))
  return {
    visitors: of('visitors'),
    seats: of('seats'),
    seatsPerOrder: of('seatsPerOrder'),
    arrivalMinutes: of('arrivalMinutes'),
    stayMinutes: of('stayMinutes'),
    ratePerMinute: of('ratePerMinute'),
  }
}

function cell(kind: 'th' | 'td', text: string): HTMLElement {
  const made = document.createElement(kind)
  made.textContent = text
  return made
}

const whole = (value: number): string => Math.ceil(value).toLocaleString('en')
const percent = (share: number): string => `${share < 0.01 ? 'under 1' : Math.ceil(share * 100)} %`
