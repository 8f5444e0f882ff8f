export { type App, buildApp } from './app.ts'
export { BadConfiguration, type Config, readConfig } from './config.ts'
export type { Services } from './services.ts'
