import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, describe, onTestFinished } from 'vitest'
import { createDatabase, type Database } from '../../src/replica/database.ts'
import { parseDatabaseAddress } from '../../src/replica/database-address.ts'
import { migrate } from '../../src/replica/migrate.ts'

const versionOf = (path: string): number => Number(path.split('/').at(-2))
/** Folder of the newest PostgreSQL of Debian; undefined if none is installed. */
const programs = globSync('/usr/lib/postgresql/*/bin')
  .filter((path) => globSync(join(path, 'initdb')).length > 0)
  .sort((a, b) => versionOf(b) - versionOf(a))[0]

if (!programs && process.env['CI'] !== undefined && process.platform === 'linux')
  throw new Error('PostgreSQL is missing. Continuous integration installs the package "postgresql".')

/** Tests with a real PostgreSQL. Skipped where Debian's package `postgresql` isn't installed. */
export const describeWithPostgres = programs
  ? describe
  : (name: string, ...rest: unknown[]) => {
      void rest
      describe.skip(`${name} (skipped: the package postgresql isn't installed)`, () => undefined)
    }

/** A private PostgreSQL server in a temporary folder, reached by a Unix socket. */
export interface PostgresServer {
  /** Address of a new, empty database of this server. */
  createAddress(): Promise<string>
  /** Ends the server at once, like a power failure. */
  kill(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
  /** Folder of the server's programs, such as pg_dump. */
  readonly programs: string
}

const started = new Set<ChildProcess>()
// A test process that ends early must not leave servers behind.
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

/** Creates a server for one test file. Its data is removed when the file's tests have ended. */
export async function startPostgres(): Promise<PostgresServer> {
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
    const child = spawn(
      join(programs ?? '', 'postgres'),
      ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'max_connections=200', '-c', 'fsync=on'],
      { ...run, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    server = child
    started.add(child)
    await new Promise<void>((resolve, reject) => {
      let log = ''
      child.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        if (log.includes('ready to accept connections')) resolve()
      })
      child.once('exit', () => reject(new Error(`PostgreSQL ended: ${log}`)))
    })
    child.stderr.resume()
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
  afterAll(async () => {
    await end('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  })
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
    // "Immediate" shutdown: the server writes nothing, and recovers from its log at the next start. SIGKILL
    // would leave its child processes behind.
    kill: () => end('SIGQUIT'),
    start,
  }
}

/** Creates the connections of one replica, which end with the test. */
export function connect(address: string, options: { readonly connections?: number } = {}): Database {
  const database = createDatabase({ address: parseDatabaseAddress(address), ...options })
  onTestFinished(() => database[Symbol.asyncDispose]())
  return database
}

/** Creates a server and a database with the current schema, which all tests of a file share. */
export async function startMigrated(): Promise<Database> {
  const server = await startPostgres()
  const database = createDatabase({ address: parseDatabaseAddress(await server.createAddress()) })
  afterAll(() => database[Symbol.asyncDispose]())
  await migrate(database)
  return database
}

/** Creates a database with the current schema. */
export async function createMigrated(
  server: PostgresServer,
): Promise<{ address: string; database: Database }> {
  const address = await server.createAddress()
  const database = connect(address)
  await migrate(database)
  return { address, database }
}
