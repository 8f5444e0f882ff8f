import { startWaiting } from '../wait/start-waiting.tsx'

startWaiting()
