/**
 * The files that take longest, the longest first, with their seconds on two busy cores (November 2026). Vitest sees only
 * their size, and a minute of crashes that begins last is a minute in which the other workers have nothing to do.
 */
export const LONGEST: readonly string[] = [
  'tests/box-office/crash.test.ts', // 60
  'tests/crash/embedded.test.ts', // 60
  'tests/crash/payments.test.ts', // 60
  'tests/browser/buyer/buyer.test.ts', // 55
  'tests/browser/console/console.test.ts', // 50
  'tests/lab/matrix.test.ts', // 45
  'tests/crash/servers.test.ts', // 35
  'tests/rebuild/rebuild.test.ts', // 35
  'tests/proof/rehearse.test.ts', // 35
  'packages/seats/test/buying/properties.test.ts', // 35
  'tests/browser/client/client.test.ts', // 30
  'tests/race/three-servers.test.ts', // 30
  'tests/crash/redis.test.ts', // 25
  'packages/server/test/payment-properties.test.ts', // 25
  'packages/server/test/realtime-channels.test.ts', // 25
  'tests/bench-self/leaks.test.ts', // 25
  'packages/cli/test/serve.test.ts', // 20
  'packages/cli/test/verify.test.ts', // 20
  'packages/cli/test/reconcile.test.ts', // 20
  'packages/cli/test/command-line.test.ts', // 20
  'tests/box-office/all-seats-sell.test.ts', // 20
  'packages/server/test/room-far-polls.test.ts', // 15
  'tests/race/dead-head.test.ts', // 15
  'tests/crash/news.test.ts', // 15
  'tests/push/lossy.test.ts', // 10
  'packages/guard/test/real-room.test.ts', // 10
  'packages/server/test/shutdown.test.ts', // 10
  'packages/cli/test/doctor.test.ts', // 10
]
