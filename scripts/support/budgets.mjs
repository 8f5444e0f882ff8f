/**
 * The budgets of the design: where bench/RESULTS.md has each, what is known of why it may be missed on a machine that has to
 * be server, stores and crowd at once, and what would be needed. The bar stands in the table, beside the figure.
 * `name` is for those of which the table has none.
 */
export const BUDGETS = [
  {
    ...{ section: 'Line', name: 'joins ÷ a no-op POST', row: /^joins ÷ no-op POST$/ },
    why: 'A join verifies who asks, which this no-op does not; the row after it compares with one that does. Joins also give Redis and PostgreSQL a part of the cores. Copying the log elsewhere was tried: it takes an eighth of the work from the server and gives it to a core that has no time left. Needed: a core more.',
  },
  {
    ...{ section: 'Line', name: 'status polls ÷ a no-op GET', row: /^status polls with .* ÷ no-op GET$/ },
    why: 'A poll verifies its ticket, reads a place from the rank map and writes a longer answer; stores are hardly asked. Needed: an answer that is kept as text for those whose place has not changed.',
  },
  {
    ...{ section: 'Line', name: 'cost of a join with 1,000,000 waiting ÷ with 1,000', row: /^cost of a join with / },
    why: 'In memory, a million tickets do not fit into the caches of a processor, and looking for an identity touches one place of them at random; those who join together share the wait for it. Needed: more cache.',
  },
  {
    section: 'Line',
    name: 'Redis bytes for each who waits',
    row: /^Redis bytes for each /,
    why: 'Each key that names a ticket costs its bytes.',
  },
  {
    ...{
      section: 'Box office',
      name: 'reservations ÷ rows inserted one by one',
      row: /^reservations ÷ rows inserted one by one$/,
    },
    why: 'A reservation takes about 150 µs of the server (and 30 of its collector), 110 of PostgreSQL, 46 of Redis and 22 of the driver; for a fifth of the time the server waits for a core. Rows inserted one by one want PostgreSQL alone. Needed: a fourth less of all of these, or two cores more.',
  },
  {
    ...{ section: 'Box office', name: 'views and bookings at once', row: /under full load, p99 in ms$/ },
    why: 'The table below it says who kept which part of the cores busy, and what was carried in time. Needed: a core for the driver and one for PostgreSQL.',
  },
  {
    section: 'Push',
    name: 'slot frees → the next client knows',
    row: /^slot frees → the next client knows, p99/,
    why: 'A latency suffers from whatever else runs.',
  },
  {
    ...{ section: 'Overload', name: 'goodput when overloaded ÷ peak', row: /^goodput at \d+× ÷ peak$/ },
    why: 'Of the steps below it, bookings that came too late say that the desk let too many wait, and a busy server that refusing cost too much.',
  },
  {
    ...{ section: 'Rehearsal', name: 'error of estimates', row: /: error of estimates, median$/ },
    why: 'Estimates expect that people go on as they did. Where crowd, server and stores compete for the cores, their pace changes by itself. Needed: a crowd on another machine.',
  },
  {
    ...{ section: 'Great rehearsal', name: 'error of estimates', row: /: error of estimates, median$/ },
    why: 'A hundred thousand people are more than these cores can be in time: answers, and with them visits, are slow at first and quick in the end. Needed: a crowd on another machine.',
  },
  {
    section: 'Pages',
    name: 'waiting page, everything it loads',
    row: /^waiting page, everything it loads/,
    why: 'The table below it says what the page loads.',
  },
]

/** The same of what else may be missed. */
export const OTHER_BARS = [
  {
    ...{ section: 'Events', row: /^queries by / },
    why: 'An event that is in use is read again after 700 to 900 ms: a crowd that takes as long to be answered meets the next reading.',
  },
  {
    ...{ section: 'Box office', row: /^losers turned away ÷ no-op POST$/ },
    why: 'A loser shows a token and a pass, which this no-op does not look at; the row after it compares with one that does.',
  },
  {
    ...{ section: 'Great rehearsal', row: /: joining, p99/ },
    why: 'Seventy thousand come within six seconds, which is more than one server can take in; they wait for their answer, and everybody gets one. Needed: more servers, or a longer curve.',
  },
  {
    ...{ section: 'Great rehearsal', row: /: answers with an estimate/ },
    why: 'Most of the line has seats to hope for only if others give theirs back, and nobody knows how many will.',
  },
  {
    ...{ section: 'Rehearsal', row: /: answers with an estimate/ },
    why: 'Those who come before five have left, or for whom a seat must first come back, are told that nobody knows.',
  },
]
