/**
 * The budgets of the design: where bench/RESULTS.md has each, and what is known of why it may be missed on a machine that
 * has to be server, stores and crowd at once. The bar stands in the table, beside the figure.
 * `name` is for those of which the table has none.
 */
export const BUDGETS = [
  {
    ...{ section: 'Line', name: 'joins ÷ a no-op POST', row: /^joins ÷ no-op POST$/ },
    why: 'A join verifies who asks, which this no-op does not; the row after it compares with one that does. Joins also give Redis and PostgreSQL a part of the cores.',
  },
  {
    ...{ section: 'Line', name: 'status polls ÷ a no-op GET', row: /^status polls with .* ÷ no-op GET$/ },
    why: 'A poll verifies its ticket, reads a place from the rank map and writes a longer answer; stores are hardly asked.',
  },
  {
    ...{ section: 'Line', name: 'cost of a join with 1,000,000 waiting ÷ with 1,000', row: /^cost of a join with / },
    why: 'In memory, a million tickets do not fit into the caches of a processor, and a join touches a few places of them.',
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
    why: 'Server, driver, Redis and PostgreSQL together want more than these cores; rows inserted one by one want PostgreSQL alone.',
  },
  {
    ...{ section: 'Box office', name: 'views and bookings at once', row: /under full load, p99 in ms$/ },
    why: 'The table below it says who kept which part of the cores busy, and what was carried in time.',
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
    why: 'Estimates expect that people go on as they did. Where crowd, server and stores compete for the cores, their pace changes by itself.',
  },
  {
    ...{ section: 'Great rehearsal', name: 'error of estimates', row: /: error of estimates, median$/ },
    why: 'A hundred thousand people are more than these cores can be in time: answers, and with them visits, are slow at first and quick in the end.',
  },
  {
    section: 'Pages',
    name: 'waiting page, everything it loads',
    row: /^waiting page, everything it loads/,
    why: 'The table below it says what the page loads.',
  },
]
