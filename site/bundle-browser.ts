import { join } from 'node:path'
import { build, type Rolldown } from 'vite'

/** One classic script: pages that are opened from a disk may load no modules. */
export async function bundleBrowser(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, 'browser/main.ts'), output: { format: 'iife' } },
    },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}
