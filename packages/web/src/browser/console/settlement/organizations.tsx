import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { OrganizationsData } from '../../../pages/console/data.ts'
import { readPageData } from '../../page-data.ts'
import { call, explain } from '../kit/api.ts'
import { askedClass, InForce, NotApplied, useLeaveWarning } from '../kit/asked.tsx'
import { words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { type Settled, SettlementNotes, SumsTable } from './sums-table.tsx'

type Organization = OrganizationsData['organizations'][number]
const FIELDS = ['name', 'address', 'taxNumber'] as const

/** Each organization with the data of its receipts and its sums. */
export function Organizations(): VNode {
  const { organizations } = readPageData<OrganizationsData>()
  return (
    <>
      {organizations.map((organization) => (
        <section key={organization.id} class="stack" aria-label={organization.name}>
          <SellerForm organization={organization} />
          <SettlementOf id={organization.id} />
        </section>
      ))}
    </>
  )
}

function SellerForm({ organization }: { organization: Organization }): VNode {
  const [inForce, setInForce] = useState(organization)
  const [asked, setAsked] = useState(organization)
  const [said, setSaid] = useState('')
  const isAsked = (field: (typeof FIELDS)[number]): boolean => asked[field] !== inForce[field]
  const isAny = FIELDS.some(isAsked)
  useLeaveWarning(isAny)
  const save = (): void => {
    const { name, address, taxNumber } = asked
    call<Organization>('PATCH', `/api/organizations/${organization.id}`, { name, address, taxNumber }).then(
      (saved) => {
        setInForce(saved)
        setAsked(saved)
        setSaid(words.seller.saved)
      },
      (error) => setSaid(explain(error)),
    )
  }
  const change = (field: (typeof FIELDS)[number], value: string): void => {
    setSaid('')
    setAsked({ ...asked, [field]: value })
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h2>{inForce.name}</h2>
      <p>{words.seller.lead}</p>
      <label class={`field ${askedClass(isAsked('name'))}`}>
        {words.seller.name}
        <input
          name="name"
          required
          maxLength={200}
          value={asked.name}
          onInput={(event) => change('name', event.currentTarget.value)}
        />
        <InForce value={inForce.name} isAsked={isAsked('name')} />
      </label>
      <label class={`field ${askedClass(isAsked('address'))}`}>
        {words.seller.address}
        <textarea
          name="address"
          rows={3}
          maxLength={500}
          value={asked.address}
          onInput={(event) => change('address', event.currentTarget.value)}
        />
        <InForce value={inForce.address} isAsked={isAsked('address')} />
      </label>
      <label class={`field ${askedClass(isAsked('taxNumber'))}`}>
        {words.seller.taxNumber}
        <input
          name="taxNumber"
          maxLength={50}
          value={asked.taxNumber}
          onInput={(event) => change('taxNumber', event.currentTarget.value)}
        />
        <InForce value={inForce.taxNumber} isAsked={isAsked('taxNumber')} />
      </label>
      <p role="status">{said}</p>
      <p class="actions">
        <button type="submit">{words.seller.save}</button>
        {isAny && <NotApplied />}
      </p>
    </form>
  )
}

/** The last month at first; days begin where the operator is. */
function SettlementOf({ id }: { id: string }): VNode {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const [period, setPeriod] = useState<{ from?: string; to?: string }>({})
  const query = new URLSearchParams({ timeZone, ...period }).toString()
  const path = `/api/organizations/${id}/settlement`
  const { answer, problem } = useAnswer<Settled & { from: string; to: string }>(`${path}?${query}`, null)
  const change = (edge: 'from' | 'to', day: string): void => {
    if (answer !== null && day !== '') setPeriod({ from: answer.from, to: answer.to, ...period, [edge]: day })
  }
  const day = (edge: 'from' | 'to'): VNode => (
    <label class="field">
      {words.settlement[edge]}
      <input
        type="date"
        value={period[edge] ?? answer?.[edge] ?? ''}
        onChange={(event) => change(edge, event.currentTarget.value)}
      />
    </label>
  )
  return (
    <div class="stack">
      <h3>{words.settlement.title}</h3>
      <div class="fields">
        {day('from')}
        {day('to')}
      </div>
      <p role="status">{problem}</p>
      {answer !== null && <Sums settled={answer} />}
      <p class="actions">
        <a href={`${path}.csv?${query}`}>{words.settlement.csv}</a>{' '}
        <a href={`${path}.pdf?${query}`}>{words.settlement.pdf}</a>{' '}
        <a href={`/api/organizations/${id}/receipts.csv?${query}`}>{words.settlement.receipts}</a>
      </p>
    </div>
  )
}

function Sums({ settled }: { settled: Settled }): VNode {
  const { settlement } = words
  const { totals, days, events } = settled
  return (
    <>
      <SettlementNotes settled={settled} />
      <SumsTable
        title={settlement.total}
        label={settlement.total}
        rows={totals.map((sums) => ({ name: sums.currency, sums }))}
      />
      {days.length > 0 && (
        <>
          <h4>{settlement.byDay}</h4>
          <SumsTable
            title={settlement.byDay}
            label={settlement.day}
            rows={days.map((sums) => ({ name: sums.day, sums }))}
          />
          <h4>{settlement.byEvent}</h4>
          <SumsTable
            title={settlement.byEvent}
            label={settlement.event}
            rows={events.map((sums) => ({ name: sums.event, sums }))}
          />
        </>
      )}
    </>
  )
}
