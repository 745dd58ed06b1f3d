import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { createDatabase } from '../../src/replica/database.ts'
import { parseDatabaseAddress } from '../../src/replica/database-address.ts'

const versionOf = (path: string): number => Number(path.split('/').at(-2))
/** Folder of the newest PostgreSQL of Debian; undefined if none is installed. */
export const postgresPrograms = globSync('/usr/lib/postgresql/*/bin')
  .filter((path) => globSync(join(path, 'initdb')).length > 0)
  .sort((a, b) => versionOf(b) - versionOf(a))[0]

/** A private PostgreSQL server in a temporary folder, reached by a Unix socket. Its data ends with it. */
export interface PostgresServer extends AsyncDisposable {
  /** Address of a new, empty database of this server. */
  createAddress(): Promise<string>
  /**
   * Ends the server at once, like a power failure. After SIGKILL, its other processes end when they notice that the
   * first one is gone.
   */
  kill(signal?: 'SIGKILL' | 'SIGQUIT'): Promise<void>
  /** Starts it again with the same data, as soon as no process of the killed server remains. */
  start(): Promise<void>
  /** Folder of the server's programs, such as pg_dump. */
  readonly programs: string
}

const started = new Set<ChildProcess>()
// A process that ends early must not leave servers behind.
process.on('exit', () => {
  for (const server of started) server.kill('SIGQUIT')
})

/** PostgreSQL refuses to run as root, so root starts it as Debian's user `postgres`. */
function userOf(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (option: string): number =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Creates and starts a server. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const programs = postgresPrograms
  if (!programs) throw new Error('PostgreSQL is missing.')
  const user = userOf()
  // The path of a Unix socket has at most 107 bytes. Another user can't enter the tests' temporary folder.
  const folder = mkdtempSync(join(user.uid === undefined ? tmpdir() : '/tmp', 'sotto-pg-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  const run = { ...user, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' } }
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'sotto', '-A', 'trust', '-E', 'UTF8', '-N'], {
    ...run,
    stdio: 'ignore',
  })
  let server: ChildProcess | undefined
  const addressOf = (name: string): string => `postgres:///${name}?host=${folder}&user=sotto`

  async function start(): Promise<void> {
    while (!(await tryStart()));
  }
  /** @returns false if processes of a killed server still use its memory */
  async function tryStart(): Promise<boolean> {
    const child = spawn(
      join(programs ?? '', 'postgres'),
      ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'max_connections=200', '-c', 'fsync=on'],
      { ...run, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    server = child
    started.add(child)
    const isReady = await new Promise<boolean>((resolve, reject) => {
      let log = ''
      child.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        if (log.includes('ready to accept connections')) resolve(true)
      })
      child.once('close', () => {
        started.delete(child)
        if (/shared memory block .* still in use|lock file .* already exists/.test(log)) resolve(false)
        else reject(new Error(`PostgreSQL ended: ${log}`))
      })
    })
    child.stderr.resume()
    return isReady
  }
  async function end(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    const child = server
    server = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill(signal)
    await ended
    started.delete(child)
  }
  await start()
  return {
    programs,
    async createAddress() {
      const name = `test_${randomBytes(6).toString('hex')}`
      await using admin = createDatabase({
        address: parseDatabaseAddress(addressOf('postgres')),
        connections: 1,
      })
      await admin.execute(`CREATE DATABASE ${name}`)
      return addressOf(name)
    },
    // By default an "immediate" shutdown: the server writes nothing, and recovers from its log at the next start.
    kill: (signal = 'SIGQUIT') => end(signal),
    start,
    async [Symbol.asyncDispose]() {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
