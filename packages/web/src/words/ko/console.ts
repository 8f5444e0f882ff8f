export { consoleWords } from '../en/console.ts'
