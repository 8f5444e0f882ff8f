import { fillInCode } from '../take-over.ts'

fillInCode()
