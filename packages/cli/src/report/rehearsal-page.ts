import { chart } from './chart.ts'
import type { ComparedFigure } from './compare.ts'
import { escapeHtml } from './escape-html.ts'
import { count, duration, megabytes, percent } from './format.ts'
import { fairnessRows } from './format-fairness.ts'
import { invariantTable } from './invariant-table.ts'
import { page, table } from './page.ts'
import type { ActionFigures, RehearsalReport, SeriesPoint } from './rehearsal-report.ts'

/** The report as one self-contained page. */
export function rehearsalPage(report: RehearsalReport, comparison: readonly ComparedFigure[] | null): string {
  const { eventName, startedAt, tookMs, seed, invariants, fairness } = report
  const facts = `${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${duration(tookMs)}, seed ${seed}, event ${report.eventId}`
  return page(`Rehearsal of ${eventName}`, [
    `<h1>Rehearsal of ${escapeHtml(eventName)}</h1><p class="quiet">${escapeHtml(facts)}</p>`,
    verdict(report),
    figures(report),
    ...(comparison === null ? [] : ['<h2>Compared with before</h2>', comparisonTable(comparison)]),
    '<h2>Over time</h2>',
    `<div class="charts">${charts(report).join('')}</div>`,
    '<h2>Answers</h2>',
    actionTable(report),
    '<h2>How visits ended</h2>',
    countTable('Outcome', report.outcomes),
    ...(Object.keys(report.refusals).length === 0 ? [] : [countTable('Refusals, by status and code', report.refusals)]),
    ...(fairness === null
      ? []
      : ['<h2>Fairness</h2>', table('How fair the line was', [], fairnessRows(fairness, report.estimates))]),
    '<h2>Proof</h2>',
    invariants === null ? '<p>Nothing could be verified.</p>' : invariantTable(invariants),
    '<h2>What was rehearsed</h2>',
    table('Settings of the room', [], entries(report.settings)),
    table('The crowd', [], entries(report.crowd)),
  ])
}

function verdict({ judgement }: RehearsalReport): string {
  const items = [...judgement.reasons, ...judgement.remarks].map((sentence) => `<li>${escapeHtml(sentence)}</li>`)
  const list = items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
  const [word, className] = judgement.go ? ['Go', 'go'] : ['No-go', 'no-go']
  return `<section class="verdict ${className}"><strong>${word}</strong>${list}</section>`
}

function figures(report: RehearsalReport): string {
  const items: readonly (readonly [string, string])[] = [
    ['visitors', count(report.arrived)],
    ['seats sold', `${count(report.sold)} of ${count(report.seats)}`],
    ['oversold', count(report.oversold)],
    ['rules broken', count(report.violations)],
    ['joins a second', count(report.joins.perSecond)],
    ['join p50 / p99', `${duration(report.joins.p50)} / ${duration(report.joins.p99)}`],
    ['asked to come again', percent(report.rush.askedAgainShare)],
    ['waiting p50', duration(report.waited.p50)],
    ['error of estimates', percent(report.eta.medianError)],
    ['requests failed', percent(report.goodput.failedShare)],
    ['memory of the server', megabytes(report.memory.serverBytesMax)],
  ]
  const cells = items.map(([what, figure]) => `<div><dt>${escapeHtml(what)}</dt><dd>${escapeHtml(figure)}</dd></div>`)
  return `<dl class="figures">${cells.join('')}</dl>`
}

function charts({ series, settings }: RehearsalReport): string[] {
  const values = (field: keyof SeriesPoint) => series.map((point) => point[field])
  const perSecond = (value: number): string => `${count(value)}/s`
  const capacity = typeof settings.capacity === 'number' ? { limit: settings.capacity } : {}
  return [
    chart({
      title: 'Arrivals and joins',
      curves: [
        { name: 'arrivals', values: values('arrivals') },
        { name: 'joined', values: values('joins') },
      ],
      show: perSecond,
    }),
    chart({ title: 'Waiting', curves: [{ name: 'waiting', values: values('waiting') }], show: count }),
    chart({
      title: 'Let in and sold',
      curves: [
        { name: 'let in', values: values('admissions') },
        { name: 'seats sold', values: values('sold') },
      ],
      show: perSecond,
    }),
    chart({
      title: 'Inside, and the most that may be',
      curves: [{ name: 'inside', values: values('active') }],
      show: count,
      ...capacity,
    }),
    chart({ title: 'Seats left', curves: [{ name: 'seats left', values: values('remainingSeats') }], show: count }),
    chart({
      title: 'Time to an answer, from when it was due',
      curves: [
        { name: 'p50', values: values('p50') },
        { name: 'p99', values: values('p99') },
      ],
      show: duration,
    }),
    chart({
      title: 'Goodput',
      curves: [
        { name: 'good answers', values: values('good') },
        { name: 'failed', values: values('failed') },
      ],
      show: perSecond,
    }),
    chart({
      title: 'Memory',
      curves: [
        { name: 'server', values: values('serverBytes') },
        { name: 'rehearsal', values: values('driverBytes') },
      ],
      show: megabytes,
    }),
  ]
}

function actionTable({ actions }: RehearsalReport): string {
  const row = (name: string, { count: answers, p50, p90, p99, max }: ActionFigures): string[] => [
    ...[name, count(answers), duration(p50), duration(p90), duration(p99), duration(max)],
  ]
  const rows = Object.entries(actions).filter(([, figures]) => figures.count > 0)
  return table(
    'Time to an answer, waiting for a connection included',
    ['call', 'answers', 'p50', 'p90', 'p99', 'most'],
    [...rows.map(([name, each]) => row(name, each))],
  )
}

function countTable(caption: string, counts: Readonly<Record<string, number>>): string {
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return table(
    caption,
    [],
    rows.map(([what, times]) => [what.replaceAll('_', ' '), count(times)]),
  )
}

function comparisonTable(figures_: readonly ComparedFigure[]): string {
  const rows = figures_.map(({ what, before, after, ratio, meaning }) => [
    ...[what, before, after, ratio === null ? '' : `× ${ratio.toFixed(2)}`, meaning === 'same' ? '' : meaning],
  ])
  return table('Two rehearsals side by side', ['figure', 'before', 'now', 'change', ''], rows)
}

function entries(values: object): string[][] {
  return Object.entries(values).map(([name, value]) => [name, String(value)])
}
