import { offerToTakeOver } from '../take-over.ts'

offerToTakeOver()
