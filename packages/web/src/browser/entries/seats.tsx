import { startChoosing } from '../seats/start-choosing.tsx'

startChoosing()
