import { fillMemoryLine } from './measure-line.ts'

/*
 * A process that holds nothing but a line in memory with so many waiting, so that its memory can be measured. Prints the
 * most it ever had, in bytes, garbage included.
 */
await fillMemoryLine(Number(process.argv[2]))
console.log(process.resourceUsage().maxRSS * 1_024)
