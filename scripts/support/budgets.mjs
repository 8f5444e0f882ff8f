/**
 * The budgets of the design: where bench/RESULTS.md has each, and what is known of why it may be missed on a machine that
 * has to be server, stores and crowd at once. The bar stands in the table, beside the figure.
 */
export const BUDGETS = [
  {
    ...{ section: 'Line', row: /^joins ÷ no-op POST$/ },
    why: 'A join verifies who asks, which this no-op does not; the row after it compares with one that does. Joins also give Redis and PostgreSQL a part of the cores.',
  },
  {
    ...{ section: 'Line', row: /^status polls with .* ÷ no-op GET$/ },
    why: 'A poll verifies its ticket, reads a place from the rank map and writes a longer answer; stores are hardly asked.',
  },
  {
    ...{ section: 'Line', row: /^cost of a join with / },
    why: 'In memory, a million tickets do not fit into the caches of a processor, and a join touches a few places of them.',
  },
  { section: 'Line', row: /^Redis bytes for each /, why: 'Each key that names a ticket costs its bytes.' },
  {
    ...{ section: 'Box office', row: /^reservations ÷ rows inserted one by one$/ },
    why: 'Server, driver, Redis and PostgreSQL together want more than these cores; rows inserted one by one want PostgreSQL alone.',
  },
  {
    ...{ section: 'Box office', row: /under full load, p99 in ms$/ },
    why: 'The table below it says who kept which part of the cores busy, and what was carried in time.',
  },
  {
    section: 'Push',
    row: /^slot frees → the next client knows, p99/,
    why: 'A latency suffers from whatever else runs.',
  },
  {
    ...{ section: 'Overload', row: /^goodput at \d+× ÷ peak$/ },
    why: 'Of the steps below it, bookings that came too late say that the desk let too many wait, and a busy server that refusing cost too much.',
  },
  {
    ...{ section: 'Rehearsal', row: /: error of estimates, median$/ },
    why: 'Estimates expect that people go on as they did. Where crowd, server and stores compete for the cores, their pace changes by itself.',
  },
  { section: 'Pages', row: /^waiting page, everything it loads/, why: 'The table below it says what the page loads.' },
]
