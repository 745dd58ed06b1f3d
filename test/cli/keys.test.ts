import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOver } from '../../src/cli/client.ts'
import { keysCommand } from '../../src/cli/keys-command.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import { decimalUsd, parseUsd } from '../../src/shared/money.ts'
import { codesIn, runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { atTerminal, hasTerminal } from '../process/terminal.ts'
import { dataOf, errorCodeOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-keys-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const keys = (...args: string[]): Promise<Finished> => runSotto(['keys', ...args], { SOTTO_DATA_DIR: folder })
const models = (secret: string) =>
  fetch(`${sotto.ready.proxy.baseUrl}/models`, { headers: { authorization: `Bearer ${secret}` } })

it('lists the first key without its secret', async () => {
  const { code, stdout } = await keys()
  expect([code, stdout]).toEqual([0, 'First key (default key, active): $0.00 spent; 0 requests\n'])
})

it.each([[['--soft']], [['--alert', '80']], [['--unpriced']]])(
  'refuses to add a key with %j and without a budget',
  async (options) => {
    const { code, stderr } = await keys('add', 'Unlimited', ...options)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`error: ${options[0] ?? ''} needs --budget\n`),
    ])
    expect((await keys('list')).stdout).not.toContain('Unlimited')
  },
)

describe('sotto keys', () => {
  it('prints only the secret of an added key on standard output, applies its limits, and revokes it by name', async () => {
    const { code, stdout, stderr } = await keys(
      'add',
      'Editor',
      '--budget',
      '$2.50',
      '--per',
      'week',
      '--unpriced',
      '--models',
      'private/*',
      'sandbox/a*',
      '--at-least',
      'sealed',
      '--rate',
      '30',
      '--expires',
      '2100-01-31',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/^sk-sotto-[\w-]{32}\n$/)
    expect(stderr).toContain(
      'Editor (active): $0.00 spent of $2.50 per week, $2.50 remaining; 0 requests; private models only; models private/* sandbox/a*; 30 requests per minute; expires 2100-01-31 00:00 UTC; requests with unknown prices allowed',
    )
    expect((await models(stdout.trim())).status).toBe(200)
    const revoked = await keys('revoke', 'editor', '--json')
    expect([revoked.code, dataOf(revoked.stdout)]).toMatchObject([
      0,
      {
        key: {
          state: 'revoked',
          spentUsd: '0',
          remainingUsd: '2.5',
          limits: {
            budget: { usd: '2.5', period: 'week' },
            allowUnpriced: true,
            models: ['private/*', 'sandbox/a*'],
            atLeast: 'sealed',
            requestsPerMinute: 30,
            expiresAt: Date.UTC(2100, 0, 31),
          },
        },
      },
    ])
    expect((await models(stdout.trim())).status).toBe(401)
  })

  it('shows the remaining budget of a key after a request, in text and as JSON', async () => {
    const { secret, key } = dataOf((await keys('add', 'Spender', '--budget', '0.75', '--json')).stdout) as {
      secret: string
      key: { id: string; remainingUsd: string }
    }
    expect(key.remainingUsd).toBe('0.75')
    const response = await fetch(`${sotto.ready.proxy.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/allegro-mini', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await response.text()
    interface Listed {
      id: string
      spentUsd: string
      reservedUsd: string
      remainingUsd?: string
    }
    const listed = async () => (dataOf((await keys('list', '--json')).stdout) as { keys: Listed[] }).keys
    await expect
      .poll(async () => (await listed()).find(({ id }) => id === key.id), { timeout: 20_000 })
      .toMatchObject({ spentUsd: expect.not.stringMatching(/^0$/) as string, reservedUsd: '0' })
    const { spentUsd, remainingUsd } = (await listed()).find(({ id }) => id === key.id)!
    expect(remainingUsd).toBe(decimalUsd(750_000_000_000n - (parseUsd(spentUsd) ?? 0n)))
    expect((await keys('list')).stdout).toContain(
      `of $0.75 per month, $${remainingUsd ?? ''} remaining; 1 request`,
    )
    // The first key has no budget, so nothing can be left of it.
    expect((await listed())[0]).not.toHaveProperty('remainingUsd')
  })

  it('adds and edits the aliases and origins of a key', async () => {
    const added = await keys(
      'add',
      'Notes',
      '--alias',
      'claude-*=private/sandbox-lento-8b',
      '--alias',
      'gpt-4o=private/sandbox-veduta-30b',
      '--at-least',
      'sealed',
    )
    expect(added.stderr).toContain(
      '; claude-* = private/sandbox-lento-8b; gpt-4o = private/sandbox-veduta-30b',
    )
    const edited = await keys(
      'edit',
      'notes',
      '--alias',
      'claude-*=private/sandbox-veduta-30b',
      '--remove-alias',
      'gpt-4o',
      '--alias',
      'o3=private/sandbox-lento-8b',
      '--json',
    )
    expect([edited.code, dataOf(edited.stdout)]).toMatchObject([
      0,
      {
        key: {
          limits: {
            atLeast: 'sealed',
            aliases: [
              { pattern: 'claude-*', model: 'private/sandbox-veduta-30b' },
              { pattern: 'o3', model: 'private/sandbox-lento-8b' },
            ],
          },
        },
      },
    ])
    const answer = await fetch(`${sotto.ready.proxy.baseUrl}/models/claude-3`, {
      headers: { authorization: `Bearer ${added.stdout.trim()}` },
    })
    expect([answer.status, answer.headers.get('x-sotto-model')]).toEqual([200, 'private/sandbox-veduta-30b'])
    expect(await keys('edit', 'Notes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error: name something to change') as string,
    })
    const visible = await keys('edit', 'Notes', '--alias', 'gpt-*=sandbox/allegro-mini', '--json')
    expect([visible.code, errorCodeOf(visible.stdout)]).toEqual([1, 'local-key/alias-model'])
  })

  it('lists the soft budget, the alert, the limits and the spent amount of a key', async () => {
    const { secret, key } = dataOf(
      (
        await keys(
          'add',
          'Agent',
          '--budget',
          '0.000001',
          '--per',
          'day',
          '--soft',
          '--alert',
          '80',
          '--token-rate',
          '200000',
          '--parallel',
          '1',
          '--json',
        )
      ).stdout,
    ) as { secret: string; key: { limits: object } }
    expect(key.limits).toEqual({
      budget: { usd: '0.000001', period: 'day', soft: true, alertPercent: 80 },
      tokensPerMinute: 200_000,
      parallelRequests: 1,
    })
    expect((await keys('list')).stdout).toMatch(
      /^Agent \(active\): .*; 0 requests; 200,000 tokens per minute; 1 parallel request; soft budget; alert at 80%$/m,
    )
    const response = await fetch(`${sotto.ready.proxy.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/allegro-mini', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(response.status).toBe(200)
    await response.text()
    await expect
      .poll(async () => (await keys('list')).stdout, { timeout: 30_000 })
      .toMatch(/^Agent \(active\): .*; at least 80% of the budget is spent; 1 request,/m)
  })

  it('refuses a taken name and an unknown key with their codes', async () => {
    const { code, stdout } = await keys('add', 'FIRST key', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'local-key/name-taken' } }])
    expect(await keys('revoke', 'nobody')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('(local-key/unknown)') as string,
    })
  })

  it.each([
    [['add', '']],
    [['add', 'x', '--budget', '-1']],
    [['add', 'x', '--budget', 'much']],
    [['add', 'x', '--rate', '0']],
    [['add', 'x', '--alert', '100']],
    [['add', 'x', '--token-rate', '0.5']],
    [['add', 'x', '--parallel', '1000']],
    [['increase', 'x', '-1']],
    ...['0x10', '1e3', ' 5 ', '1.5', ''].map((rate) => [['add', 'x', '--rate', rate]]),
    [['increase', 'x', '1', '--until', 'soon']],
    [['add', 'x', '--expires', 'soon']],
    [['add', 'x', '--grant', 'all']],
    [['add', 'x', '--per', 'year']],
    [['add', 'x', '--alias', 'claude-*']],
    [['edit', 'x', '--alias', '=private/x']],
    [['edit', 'x', '--alias', 'a b=private/x']],
    [['edit', 'x', '--alias', 'a=private/*']],
    [['add', 'x', '--origin', 'https://*.example']],
    [['edit', 'x', '--origin', 'null']],
    [['edit', 'x', '--origin', 'app://obsidian.md/x']],
  ])('refuses invalid options: %j', async (args) => {
    const command = keysCommand()
    for (const each of [command, ...command.commands])
      each.exitOverride().configureOutput({ writeErr: () => undefined })
    await expect(command.parseAsync(args, { from: 'user' })).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    })
  })

  it.runIf(hasTerminal)(
    'adds a key with a scope other than inference only after the code from Sotto’s terminal is entered',
    async () => {
      await using terminal = atTerminal(['keys', 'add', 'Monitor', '--grant', 'metrics'], {
        SOTTO_DATA_DIR: folder,
      })
      await terminal.shows(
        'Confirm: Create a local key “Monitor” with more permissions than the first key: read this proxy’s metrics?',
      )
      const [code = ''] = codesIn(sotto.stderr())
      expect(code).not.toBe('')
      expect(terminal.written()).not.toContain(code)
      // The window neither sees nor answers a question of the command line.
      expect(await sotto.call('confirmations/pending')).toBeNull()
      const { confirmations } = clientOver(ownerFetch(folder))
      const { id = '' } = (await confirmations.pending()) ?? {}
      expect(await sotto.call('confirmations/answer', { id, code })).toEqual({ accepted: false })
      expect(await confirmations.answer({ id, code })).toEqual({ accepted: true })
      expect(await terminal.ended).toBe(0)
      expect(terminal.written()).toMatch(/^sk-sotto-/m)
    },
  )

  it.runIf(hasTerminal)(
    'increases a budget for a time after confirmation, and removes the increase without one',
    async () => {
      await keys('add', 'Raised', '--budget', '1', '--per', 'month')
      await using terminal = atTerminal(['keys', 'increase', 'raised', '2.50'], { SOTTO_DATA_DIR: folder })
      await terminal.shows('Confirm: Increase the budget of the local key “Raised” by $2.50 until ')
      const { confirmations } = clientOver(ownerFetch(folder))
      const { id = '' } = (await confirmations.pending()) ?? {}
      expect(await confirmations.answer({ id, code: codesIn(sotto.stderr()).at(-1) ?? '' })).toEqual({
        accepted: true,
      })
      expect([await terminal.ended, terminal.written()]).toEqual([
        0,
        expect.stringMatching(
          /^Raised \(active\): \$0\.00 spent of \$1\.00 per month, \$2\.50 added until \d{4}-\d\d-\d\d .*, \$3\.50 remaining;/m,
        ),
      ])
      const ended = await keys('increase', 'Raised', '0', '--json')
      expect([ended.code, dataOf(ended.stdout)]).toMatchObject([
        0,
        { key: { name: 'Raised', remainingUsd: '1' } },
      ])
      expect(ended.stdout).not.toContain('increase')
      expect(await keys('increase', 'First key', '1')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('(local-key/no-budget)') as string,
      })
    },
  )
})

it('adds a key while Sotto is not running', async () => {
  const other = await mkdtemp(join(tmpdir(), 'sotto-keys-alone-'))
  const { code, stdout } = await runSotto(['keys', 'add', 'Editor', '--json'], {
    SOTTO_DATA_DIR: other,
    SOTTO_VAULT: 'file',
    SOTTO_PASSPHRASE: 'correct horse',
  })
  expect([code, dataOf(stdout)]).toMatchObject([0, { key: { name: 'Editor', state: 'live' } }])
  await rm(other, { recursive: true, force: true })
})
