export { type MovedTable, moveLedger } from './move-ledger.ts'
export { finishMove, forgetMove, type Move, noteMove, readMove, refuseMoved } from './move-note.ts'
