import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createProgram } from '../../src/cli/program.ts'
import { runProgram } from '../../src/cli/run-program.ts'
import { hashOfLocalKey } from '../../src/core/gateway/proxy/index.ts'
import { sweep } from '../../src/replica/leases.ts'
import { listKeys } from '../../src/replica/local-keys.ts'
import { newestOf } from '../../src/replica/migrate.ts'
import { dataOf } from '../process/command-json.ts'
import { createTestReplica } from './ledger-world.ts'
import { connect, describeWithPostgres, startPostgres } from './postgres.ts'

const createdSchema = z.object({
  key: z.object({ id: z.string(), name: z.string() }),
  secret: z.string().startsWith('sk-sotto-'),
})

const ownerSchema = z.object({ id: z.string() })

let stdout = ''
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

describeWithPostgres('sotto database', () => {
  it('creates the tables, manages keys, and lists missing receipts', async () => {
    const server = await startPostgres()
    const address = await server.createAddress()
    const run = async (...args: string[]): Promise<unknown> => {
      stdout = ''
      await runProgram(createProgram('1.2.3'), [
        'node',
        'sotto',
        'database',
        ...args,
        '--database',
        address,
        '--json',
      ])
      return dataOf(stdout)
    }
    expect(await run('migrate')).toEqual({ from: 0, to: newestOf() })
    expect(await run('migrate')).toEqual({ from: newestOf(), to: newestOf() })

    const created = await run('keys', 'add', 'Ann', '--budget', '1', '--per', 'week', '--at-least', 'sealed')
    const database = connect(address)
    const [key] = await listKeys(database)
    const { key: printed, secret } = createdSchema.parse(created)
    expect(printed).toEqual({ id: key?.id, name: 'Ann' })
    expect(hashOfLocalKey(secret)).toBe(key?.hash)
    expect(key?.limits).toEqual({ budget: { picoUsd: 10n ** 12n, period: 'week' }, atLeast: 'sealed' })

    const replica = createTestReplica(database)
    const { id } = await replica.reserve(key?.id ?? '', 10n ** 11n)
    expect(await run('keys', 'list')).toMatchObject({
      keys: [{ name: 'Ann', limits: { budget: { usd: '1' } }, spentUsd: '0', reservedUsd: '0.1' }],
    })
    expect(stdout).not.toContain(key?.hash)
    // Without a lease, the replica counts as ended.
    await sweep(database)
    expect(await run('absences')).toMatchObject({
      absences: [{ receiptId: id, keyName: 'Ann', chargedAtMostUsd: '0.1' }],
    })

    const { id: paid, reservation } = await replica.reserve(key?.id ?? '', 10n ** 11n)
    replica.finish(key?.id ?? '', paid, reservation, 5n * 10n ** 10n)
    await replica.ledger[Symbol.asyncDispose]()
    const shown = { receipts: [{ id: paid, keyName: 'Ann', privacy: 'sealed', chargedUsd: '0.05' }] }
    expect(await run('receipts')).toMatchObject(shown)
    expect(await run('receipts', '--key', 'Ann', '--since', '2020-01-01', '--limit', '1')).toMatchObject(
      shown,
    )
    expect(await run('receipts', '--since', '2999-01-01')).toEqual({ receipts: [] })
    await expect(run('receipts', '--key', 'Bob')).rejects.toThrow('local-key/unknown')

    await expect(run('keys', 'add', 'Ann')).rejects.toThrow('local-key/name-taken')
    expect(await run('keys', 'revoke', 'Ann')).toEqual({ id: key?.id })
    await expect(run('keys', 'revoke', 'Ann')).rejects.toThrow('local-key/unknown')
    await run('keys', 'list')
    expect(stdout).toMatch(/"revokedAt":\d+/)

    const admitted = await run('members', 'add', 'ann@example.com', '--role', 'admin')
    expect(admitted).toMatchObject({ member: { email: 'ann@example.com', role: 'admin' } })
    await expect(run('members', 'add', 'ANN@example.com')).rejects.toThrow('team/member-exists')
    await expect(run('members', 'remove', 'ann@example.com')).rejects.toThrow('team/last-admin')
    await run('members', 'add', 'ben@example.com')
    await run('keys', 'add', 'Ben’s key', '--owner', 'Ben@example.com')
    await expect(run('keys', 'add', 'Eve', '--owner', 'eve@example.com')).rejects.toThrow(
      'team/unknown-member',
    )
    expect(await run('members', 'list')).toMatchObject({
      members: [
        { email: 'ann@example.com', role: 'admin', keys: 0, lastSignInAt: null },
        { email: 'ben@example.com', role: 'member', keys: 1 },
      ],
    })
    const { id: ben } = ownerSchema.parse(await run('members', 'remove', 'ben@example.com'))
    expect((await listKeys(database)).find(({ ownerId }) => ownerId === ben)?.revokedAt).toBeDefined()
  })
})
