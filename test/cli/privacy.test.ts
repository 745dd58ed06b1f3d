import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openVault } from '../../src/core/core.ts'
import { runSotto, startSotto, type Finished } from '../process/sotto-process.ts'

const passphrase = 'correct horse'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-privacy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Without a running Sotto, the command opens the vault with the passphrase. */
const privacy = (args: readonly string[], environment: Record<string, string> = {}): Promise<Finished> =>
  runSotto(['privacy', ...args], { SOTTO_DATA_DIR: folder, ...environment })

async function savedSecret(): Promise<string> {
  const vault = await openVault({ mode: 'file', folder, passphrase })
  const secret = await vault.get('cache-secret')
  await vault.close()
  return Buffer.from(secret ?? []).toString('hex')
}

describe('replace-cache-secrets', () => {
  it('replaces the saved secret, with a running Sotto and without one', async () => {
    const sotto = await startSotto(folder)
    await sotto.stop('SIGTERM')
    const first = await savedSecret()
    expect(first).toMatch(/^[0-9a-f]{64}$/)

    const running = await startSotto(folder)
    expect(await privacy(['replace-cache-secrets'])).toEqual({ code: 0, stdout: 'Secrets replaced.\n', stderr: '' })
    await running.stop('SIGTERM')
    const second = await savedSecret()

    const { code, stdout } = await privacy(['replace-cache-secrets', '--json'], { SOTTO_VAULT: 'file', SOTTO_PASSPHRASE: passphrase })
    expect([code, JSON.parse(stdout)]).toEqual([0, { replaced: true }])
    expect(new Set([first, second, await savedSecret()]).size).toBe(3)
  })

  it('is refused with its code if the vault can’t be opened', async () => {
    const before = await savedSecret()
    const { code, stdout } = await privacy(['replace-cache-secrets', '--json'], { SOTTO_VAULT: 'file', SOTTO_PASSPHRASE: 'wrong' })
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'vault/locked' } }])
    expect(await savedSecret()).toBe(before)
  })
})
