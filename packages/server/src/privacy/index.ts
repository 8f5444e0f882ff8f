export { privacyPages } from './pages.ts'
export { privacyRoutes } from './routes.ts'
export { watchPrivacy } from './watch-privacy.ts'
