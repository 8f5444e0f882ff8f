import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, createLog } from '../../config/index.ts'
import type { RunningServer } from '../serve.ts'
import { Supervisor, type SupervisorParts } from './supervisor.ts'

export interface WorkersOptions extends Pick<SupervisorParts, 'onFailure'> {
  /** Starts one worker, which listens on this port. */
  readonly command: (worker: number, port: number) => ReturnType<SupervisorParts['command']>
}

/**
 * Starts `config.workers` processes of this program that share its port, and supervises them. Each listens on the port
 * itself (SO_REUSEPORT), and the kernel spreads connections over them. We chose this over handing connections out from one
 * process (`node:cluster`), which costs twice as much processor time for each new connection, and after `kill -9` of a
 * worker leaves the connection that was on its way to it hanging.
 */
export async function startWorkers(config: Config, options: WorkersOptions): Promise<RunningServer> {
  const log = createLog(config)
  const port = await claimPort(config)
  const supervisor = new Supervisor({
    count: config.workers,
    command: (worker) => options.command(worker, port),
    log,
    onFailure: options.onFailure,
  })
  try {
    const introduction = await supervisor.start()
    return {
      ...introduction,
      async stop() {
        log.info('stopping')
        await supervisor.stop(config.drainSeconds)
        log.info('stopped')
      },
      reportCrash(err) {
        log.fatal({ err }, 'ending because of a bug')
        supervisor.kill()
      },
    }
  } catch (error) {
    supervisor.kill()
    throw error
  }
}

/**
 * The port, if no other program has it: processes that share ports would not notice each other. Port 0 becomes a free one,
 * the same for all workers.
 */
async function claimPort({ host, port }: Config): Promise<number> {
  const probe = createServer()
  probe.listen({ host, port })
  await once(probe, 'listening')
  const { port: claimed } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return claimed
}
