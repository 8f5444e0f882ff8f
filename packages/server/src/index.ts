export { BadConfiguration, type Config, createLog, readConfig, VERSION } from './config/index.ts'
export { type App, HTTP_LIMITS, type HttpLimits } from './http/index.ts'
export { createAccessTokens, knowsSecretOf } from './identity/index.ts'
export {
  buildApp,
  createKernel,
  type OpenedServices,
  openConfiguredLedger,
  openConfiguredRedis,
  openServices,
  type RunningServer,
  reconcileBooks,
  type Services,
  serve,
  startWorkers,
  work,
} from './main/index.ts'
export {
  type Finding,
  judgeFolder,
  judgeLedgerPath,
  judgeMachine,
  judgePostgres,
  judgeProvider,
  judgeRedis,
  judgeRedisPath,
  judgeSettings,
  judgeTraces,
} from './operators/index.ts'
export { createChallenges, createTicketTokens, isRoundSigned } from './rooms/index.ts'
