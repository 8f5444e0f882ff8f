import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findBinary } from '../machine.ts'
import { INSTALL_HINT } from './postgres.ts'

const BYTES_MAX = 256 * 1_024 * 1_024

/** What `pg_dump` writes about a database, as text; bytes of columns are hexadecimal in it. */
export async function dumpPostgres(url: string, without: readonly string[] = []): Promise<string> {
  const args = [...without.map((table) => `--exclude-table-data=${table}`), url]
  const { stdout } = await promisify(execFile)(findBinary('pg_dump', INSTALL_HINT), args, { maxBuffer: BYTES_MAX })
  return stdout
}
