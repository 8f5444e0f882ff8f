export { BadConfiguration, type Config, createLog, readConfig, VERSION } from './config/index.ts'
export { type App, HTTP_LIMITS, type HttpLimits } from './http/index.ts'
export { createAccessTokens } from './identity/index.ts'
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
export { type Finding, judgeMachine, judgePostgres, judgeRedis, judgeSettings } from './operators/index.ts'
export { createTicketTokens } from './rooms/index.ts'
