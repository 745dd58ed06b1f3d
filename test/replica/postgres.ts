import { afterAll, describe, onTestFinished } from 'vitest'
import { createDatabase, type Database } from '../../src/replica/database.ts'
import { parseDatabaseAddress } from '../../src/replica/database-address.ts'
import { migrate } from '../../src/replica/migrate.ts'
import { postgresPrograms, startPostgresServer, type PostgresServer } from './postgres-server.ts'

export type { PostgresServer } from './postgres-server.ts'

if (!postgresPrograms && process.env['CI'] !== undefined && process.platform === 'linux')
  throw new Error('PostgreSQL is missing. Continuous integration installs the package "postgresql".')

/** Tests with a real PostgreSQL. Skipped where Debian's package `postgresql` isn't installed. */
export const describeWithPostgres = postgresPrograms
  ? describe
  : (name: string, ...rest: unknown[]) => {
      void rest
      describe.skip(`${name} (skipped: the package postgresql isn't installed)`, () => undefined)
    }

const servers: PostgresServer[] = []
// Registered while the file's tests are collected, because a hook can't register another one.
afterAll(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

/** Creates a server for one test file. It ends, and its data is removed, when the file's tests have ended. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await startPostgresServer()
  servers.push(server)
  return server
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
