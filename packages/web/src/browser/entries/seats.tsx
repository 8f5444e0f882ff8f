import { startChoosing } from '../seats/start-choosing.tsx'

void startChoosing()
