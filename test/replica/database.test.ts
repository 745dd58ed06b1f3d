import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { asSottoError } from '../../src/shared/errors.ts'
import { databaseFailure } from '../../src/replica/database-errors.ts'
import { parseDatabaseAddress } from '../../src/replica/database-address.ts'
import { connect, describeWithPostgres, startPostgres, type PostgresServer } from './postgres.ts'

describe('the address of a database', () => {
  it.each([
    ['postgres://ann:s%40crypt@db.example/sotto', { host: 'db.example', port: 5432, password: 's@crypt' }],
    ['postgresql://ann:pw@127.0.0.1:6543/sotto', { host: '127.0.0.1', port: 6543, ssl: false }],
    ['postgres:///sotto?host=/run/postgresql&user=ann', { host: '/run/postgresql', ssl: false, user: 'ann' }],
    ['postgres://ann:pw@db.example/sotto?sslmode=disable', { ssl: false }],
  ])('%s is read', (text, expected) => expect(parseDatabaseAddress(text)).toMatchObject(expected))

  it('requires a verified certificate of every other host', () =>
    expect(parseDatabaseAddress('postgres://ann:pw@db.example/sotto').ssl).toMatchObject({
      rejectUnauthorized: true,
      servername: 'db.example',
    }))

  it.each([
    'mysql://ann:hunter2@db.example/sotto',
    'postgres://ann:hunter2@db.example/',
    'postgres://db.example/sotto?password=hunter2',
    'postgres://ann:hunter2@db.example/sotto?sslmode=require',
    'postgres://ann:hunter2@db.example/sotto?sslmode=disable&sslmode=verify-full',
    'postgres://ann:hunter2@db.example/sotto?sslrootcert=/missing.pem',
    'hunter2',
  ])('%s is refused, and the error doesn’t show it', (text) => {
    try {
      parseDatabaseAddress(text)
      expect.unreachable()
    } catch (thrown) {
      const failure = asSottoError(thrown)
      expect(failure.code).toBe('database/address')
      expect(JSON.stringify(failure) + String(failure.stack) + String(failure.cause)).not.toContain('hunter2')
    }
  })
})

it.each([
  [{ code: 'EPIPE' }, 'database/unreachable'],
  [{ code: '57P01' }, 'database/unreachable'],
  [{ code: '28P01' }, 'database/refused'],
  [{ code: '23505' }, 'database/failed'],
])('the failure %j of the driver is %s', (thrown, code) => expect(databaseFailure(thrown).code).toBe(code))

describeWithPostgres('the database', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })

  it('changes nothing if a transaction fails, and goes on', async () => {
    const database = connect(await server.createAddress(), { connections: 1 })
    await database.execute('CREATE TABLE amounts (amount numeric(40, 0))')
    const failed = database.transaction(async (statements) => {
      await statements.execute('INSERT INTO amounts VALUES ($1)', ['1'])
      await statements.execute('INSERT INTO missing VALUES (1)')
    })
    await expect(failed).rejects.toMatchObject({ code: 'database/failed' })
    await database.execute('INSERT INTO amounts VALUES ($1)', ['123456789012345678901234567890'])
    const amount = z.object({ amount: z.string() })
    await expect(database.query(amount, 'SELECT amount FROM amounts')).resolves.toEqual([
      { amount: '123456789012345678901234567890' },
    ])
  })

  it('refuses a row of another shape', async () => {
    const database = connect(await server.createAddress())
    await expect(database.query(z.object({ one: z.string() }), 'SELECT 1 AS one')).rejects.toMatchObject({
      code: 'database/damaged',
    })
  })

  it('reports a server that is away, and continues when it is back', async () => {
    const database = connect(await server.createAddress())
    const one = z.object({ one: z.literal(1) })
    await database.query(one, 'SELECT 1 AS one')
    await server.kill()
    await expect(database.query(one, 'SELECT 1 AS one')).rejects.toMatchObject({
      code: 'database/unreachable',
    })
    await expect(database.transaction(() => Promise.resolve())).rejects.toMatchObject({
      code: 'database/unreachable',
    })
    await server.start()
    await expect(database.query(one, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }])
  })

  it('reports a server that ends between two statements of a transaction', async () => {
    const database = connect(await server.createAddress())
    const transaction = database.transaction(async (statements) => {
      await statements.execute('SELECT 1')
      await server.kill('SIGKILL')
      await server.start()
      await statements.execute('SELECT 1')
    })
    await expect(transaction).rejects.toMatchObject({ code: 'database/unreachable' })
    await expect(database.execute('SELECT 1')).resolves.toBe(1)
  })

  it('runs one transaction of a dedicated connection after the other', async () => {
    const database = connect(await server.createAddress())
    await database.execute('CREATE TABLE amounts (amount integer)')
    await using connection = await database.dedicate('payer')
    const failed = connection.transaction(async (statements) => {
      await statements.execute('INSERT INTO amounts VALUES (1)')
      await statements.execute('INSERT INTO missing VALUES (1)')
    })
    const saved = connection.transaction((statements) => statements.execute('INSERT INTO amounts VALUES (2)'))
    const asked = connection.execute('SELECT 1')
    await expect(failed).rejects.toMatchObject({ code: 'database/failed' })
    await expect(Promise.all([saved, asked])).resolves.toEqual([1, 1])
    const amount = z.object({ amount: z.number() })
    await expect(database.query(amount, 'SELECT amount FROM amounts')).resolves.toEqual([{ amount: 2 }])
  })

  it('passes notifications on until it is stopped', async () => {
    const database = connect(await server.createAddress())
    const stop = new AbortController()
    let notices = 0
    const listening = database.listen('sotto_keys', () => (notices += 1), stop.signal)
    await expect
      .poll(async () => {
        await database.execute('NOTIFY sotto_keys')
        return notices
      })
      .toBeGreaterThan(0)
    stop.abort()
    await listening
  })
})
