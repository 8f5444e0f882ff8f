/**
 * The files that take longest, the longest first, with the seconds they took on two cores (November 2026). Vitest sees only
 * their size, and a minute of crashes that begins last is a minute in which one of two workers has nothing to do.
 */
export const LONGEST: readonly string[] = [
  'tests/box-office/crash.test.ts', // 80
  'tests/crash/payments.test.ts', // 60
  'tests/browser/buyer/buyer.test.ts', // 60
  'tests/browser/console/console.test.ts', // 45
  'packages/server/test/payment-properties.test.ts', // 40
  'packages/seats/test/buying/properties.test.ts', // 40
  'tests/lab/matrix.test.ts', // 40
  'tests/proof/rehearse.test.ts', // 40
  'tests/crash/embedded.test.ts', // 35
  'tests/crash/servers.test.ts', // 35
  'tests/crash/redis.test.ts', // 35
  'packages/cli/test/verify.test.ts', // 30
  'tests/box-office/all-seats-sell.test.ts', // 30
  'tests/rebuild/rebuild.test.ts', // 30
  'tests/browser/client/client.test.ts', // 25
  'tests/bench-self/leaks.test.ts', // 25
  'packages/server/test/realtime-channels.test.ts', // 25
  'packages/cli/test/command-line.test.ts', // 20
  'packages/cli/test/reconcile.test.ts', // 20
  'packages/cli/test/serve.test.ts', // 20
  'packages/seats/test/buying/race-payments.test.ts', // 20
  'tests/race/three-servers.test.ts', // 20
  'tests/race/dead-head.test.ts', // 15
  'tests/crash/news.test.ts', // 15
  'packages/server/test/room-far-polls.test.ts', // 15
  'packages/server/test/shutdown.test.ts', // 15
  'packages/guard/test/real-room.test.ts', // 15
  'packages/cli/test/doctor.test.ts', // 15
  'tests/bench-self/server.test.ts', // 15
]
