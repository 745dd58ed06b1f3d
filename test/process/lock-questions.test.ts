import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codesIn, startSotto, type SottoProcess } from './sotto-process.ts'

let folder: string
let sotto: SottoProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-questions-'))
  sotto = await startSotto(folder)
})
afterEach(async () => {
  await sotto.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const METRICS = { name: 'Monitor', limits: { grants: ['metrics'] } }
const code = (result: unknown): unknown => (result as { data?: { code?: string } }).data?.code
const unlock = (): Promise<unknown> => sotto.call('vault/unlock', { passphrase: 'correct horse' })
const keyNames = async (): Promise<string[]> =>
  ((await sotto.call('localApi/keys')) as { name: string }[]).map(({ name }) => name)

describe('while Sotto is locked, a question', () => {
  it('about what needs the vault is not asked', async () => {
    await sotto.call('vault/lock')
    for (const [path, input] of [
      ['localApi/create', METRICS],
      ['app/acceptRecords', undefined],
      ['vault/recoveryCopy', { passphrase: 'correct horse' }],
    ] as const) {
      expect([path, code(await sotto.call(path, input))]).toEqual([path, 'vault/locked'])
    }
    expect(await sotto.call('confirmations/pending')).toBeNull()
    expect(codesIn(sotto.stderr())).toEqual([])
  })

  it('that was asked before is good for nothing: its code does not do what Sotto could do while it was unlocked', async () => {
    const creating = sotto.call('localApi/create', METRICS)
    await expect.poll(() => codesIn(sotto.stderr())).toHaveLength(1)
    const { id } = (await sotto.call('confirmations/pending')) as { id: string }
    await sotto.call('vault/lock')
    expect(await sotto.call('confirmations/answer', { id, code: codesIn(sotto.stderr())[0] })).toEqual({
      accepted: false,
    })
    expect(await creating).toMatchObject({ data: { code: 'request/locked' } })
    await unlock()
    expect(await keyNames()).not.toContain('Monitor')
    expect(await sotto.call('confirmations/pending')).toBeNull()
  })

  it('that is answered after the unlock does not reach the records either', async () => {
    const creating = sotto.call('localApi/create', METRICS)
    await expect.poll(() => codesIn(sotto.stderr())).toHaveLength(1)
    const { id } = (await sotto.call('confirmations/pending')) as { id: string }
    await sotto.call('vault/lock')
    await unlock()
    expect(await sotto.call('confirmations/answer', { id, code: codesIn(sotto.stderr())[0] })).toEqual({
      accepted: false,
    })
    expect(await creating).toMatchObject({ data: { code: 'request/locked' } })
    expect(await keyNames()).not.toContain('Monitor')
  })

  it('keeps its count: a lock does not bring new guesses', async () => {
    const creating = sotto.call('localApi/create', METRICS)
    await expect.poll(() => codesIn(sotto.stderr())).toHaveLength(1)
    const { id } = (await sotto.call('confirmations/pending')) as { id: string }
    expect(await sotto.call('confirmations/answer', { id, code: '0' })).toEqual({
      accepted: false,
      retryAfterSeconds: 1,
    })
    await sotto.call('vault/lock')
    expect(await creating).toMatchObject({ data: { code: 'request/locked' } })
    await unlock()
    const again = sotto.call('localApi/create', METRICS)
    await expect.poll(() => codesIn(sotto.stderr())).toHaveLength(2)
    const pending = (await sotto.call('confirmations/pending')) as { id: string }
    await expect
      .poll(() => sotto.call('confirmations/answer', { id: pending.id, code: '0' }))
      .toEqual({ accepted: false, retryAfterSeconds: 2 })
    await sotto.call('vault/lock')
    expect(await again).toMatchObject({ data: { code: 'request/locked' } })
  })
})
