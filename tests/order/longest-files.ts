/**
 * The files that take longest, the longest first, with their seconds on two busy cores (November 2026). Vitest sees only
 * their size, and a minute of crashes that begins last is a minute in which the other workers have nothing to do. Those
 * with a process of their own come before those that share one.
 */
export const LONGEST: readonly string[] = [
  'tests/browser/buyer/buyer.test.ts', // 110
  'tests/browser/console/console.test.ts', // 80
  'tests/browser/paying/paying.test.ts', // 70
  'tests/crash/servers.test.ts', // 65
  'tests/crash/embedded.test.ts', // 60
  'tests/box-office/crash.test.ts', // 60
  'tests/lab/matrix.test.ts', // 55
  'tests/crash/payments.test.ts', // 45
  'tests/crash/change-data.test.ts', // 20
  'tests/rebuild/rebuild.test.ts', // 40
  'tests/race/three-servers.test.ts', // 40
  'tests/proof/rehearse.test.ts', // 35
  'tests/browser/client/client.test.ts', // 35
  'tests/box-office/all-seats-sell.test.ts', // 30
  'tests/bench-self/leaks.test.ts', // 25
  'packages/cli/test/verify.test.ts', // 20
  'packages/cli/test/reconcile.test.ts', // 20
  'packages/cli/test/serve.test.ts', // 20
  'tests/crash/redis.test.ts', // 20
  'tests/push/three-servers.test.ts', // 15
  'tests/race/dead-head.test.ts', // 15
  'packages/cli/test/command-line.test.ts', // 15
  'tests/guard/in-a-browser.test.ts', // 15
  'tests/crash/news.test.ts', // 10
  'tests/proof/simulation/simulation.test.ts', // 10
  'tests/push/lossy.test.ts', // 10
  'packages/ledger/test/reservations/properties.test.ts', // 60
  'packages/server/test/box-office/payments/properties.test.ts', // 70
  'packages/server/test/box-office/payments/paying-on-a-page.test.ts', // 35
  'packages/server/test/push/channels.test.ts', // 35
  'packages/server/test/rooms/far-polls.test.ts', // 20
  'packages/guard/test/real-room.test.ts', // 20
  'packages/ledger/test/engine/embedded.test.ts', // 20
  'packages/client/test/through-ably.test.ts', // 45
  'packages/server/test/push/ably.test.ts', // 15
  'packages/ledger/test/events/events.test.ts', // 15
  'packages/client/test/with-a-server.test.ts', // 15
  'packages/server/test/rooms/operating.test.ts', // 15
  'packages/line/test/redis/connection/topologies.test.ts', // 10
  'packages/server/test/operators/reconcile.test.ts', // 10
  'packages/ledger/test/payments/race-payments.test.ts', // 10
  'packages/server/test/box-office/reservations/lifecycle.test.ts', // 10
  'packages/server/test/main/shutdown.test.ts', // 10
]
