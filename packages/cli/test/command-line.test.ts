import { copyFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { copyLedgerTemplate, removeFolder, startChild, startServer, temporaryFolder } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMAND, runSeatwise } from './run-seatwise.ts'

/** What makes the command believe that it runs on an old Node; what it hands over to knows better. */
const OLD_NODE = `data:text/javascript,${[
  'if (!process.env.HANDED_OVER) {',
  "process.env.HANDED_OVER = 'yes'",
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })",
  '}',
].join(';')}`

/** The command as users run it. */
const run = (args: readonly string[], env: Record<string, string> = {}) => runSeatwise(args, env, [COMMAND])

describe('the command line', { timeout: 90_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => removeFolder(folder))

  it.each([
    [['--help']],
    [['serve', '--help']],
    [['rehearse', '--help']],
    [['migrate', '--help']],
    [['doctor', '--help']],
  ])('[O40] %j explains itself', async (args) => {
    const { code, output } = await runSeatwise(args)
    expect(code).toBe(0)
    expect(output.length).toBeGreaterThan(100)
  })

  it.each([[[]], [['sell']], [['serve', '--port', '1']], [['doctor', 'quickly']]])(
    '[O40] %j is used wrongly',
    async (args) => {
      const { code, output } = await runSeatwise(args)
      expect(code).toBe(2)
      expect(output).toMatch(/seatwise/)
      expect(output).not.toMatch(/\n\s+at /)
    },
  )

  it('[O1, O45] bad settings are all said at once, with 1', async () => {
    const { code, output } = await run(['serve'], { PORT: 'many', SEATWISE_DEMO: '1', SEATWISE_TYPO: 'x' })
    expect(code).toBe(1)
    for (const name of ['PORT', 'SEATWISE_DEMO', 'SEATWISE_TYPO']) expect(output).toContain(`- ${name} `)
    expect(output).not.toMatch(/\n\s+at /)
  })

  it('[O45] a port that is taken is said in one sentence', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const env = { PORT: String(port), SEATWISE_DATA_DIR: join(folder, 'taken'), SEATWISE_LOG_LEVEL: 'silent' }
    await copyLedgerTemplate(env.SEATWISE_DATA_DIR, 'migrated')
    const { code, output } = await run(['serve'], env)
    await new Promise((resolve) => other.close(resolve))
    expect(code).toBe(1)
    expect(output).toMatch(/port is taken/)
    expect(output).not.toMatch(/\n\s+at /)
  })

  it('[O45] a data folder that is in use, or a database that is not there, is said in one sentence', async () => {
    const dataDir = join(folder, 'in use')
    const server = await startServer({ mode: 'embedded', dataDir })
    try {
      const second = await run(['serve'], { PORT: '0', SEATWISE_DATA_DIR: dataDir })
      expect(second.code).toBe(1)
      expect(second.output).toMatch(/in use by process \d+/)
    } finally {
      await server.discard()
    }
    const nowhere = await run(['serve'], {
      DATABASE_URL: 'postgres://me:planted-password@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
      SEATWISE_SECRET: Buffer.alloc(32, 1).toString('base64'),
    })
    expect(nowhere.code).toBe(1)
    expect(nowhere.output).not.toContain('planted-password')
    expect(nowhere.output).not.toMatch(/\n\s+at /)
  })

  it('[O41] an old Node hands over to the installed one, with arguments and exit code', async () => {
    const wrong = await runSeatwise(['sell'], {}, ['--import', OLD_NODE, COMMAND])
    expect(wrong.code).toBe(2)
    expect(wrong.output).toContain('There is no command "sell"')
  })

  it('[O41] without an installed one it says in one sentence what is needed', async () => {
    const alone = join(folder, 'seatwise.mjs')
    await copyFile(COMMAND, alone)
    const child = await startChild('seatwise', process.execPath, ['--import', OLD_NODE, alone, 'serve'])
    expect((await child.exited).code).toBe(1)
    expect(child.output().trim().split('\n')).toEqual([
      expect.stringMatching(/needs Node 26 .* Node 20\.1\.0.*npm install/),
    ])
  })
})
