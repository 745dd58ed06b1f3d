import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unlockVault } from '../../src/core/core.ts'
import { clientOver } from '../../src/cli/client.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import { writeChosenService } from '../../src/host/chosen-service.ts'
import { codesIn, runSotto, startSotto, type Finished } from '../process/sotto-process.ts'
import { atTerminal, hasTerminal } from '../process/terminal.ts'
import { dataOf } from '../process/command-json.ts'

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
  const vault = await unlockVault({ mode: 'file', folder, passphrase })
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
    expect(await privacy(['replace-cache-secrets'])).toEqual({
      code: 0,
      stdout: 'Secrets replaced.\n',
      stderr: '',
    })
    await running.stop('SIGTERM')
    const second = await savedSecret()

    const { code, stdout } = await privacy(['replace-cache-secrets', '--json'], {
      SOTTO_VAULT: 'file',
      SOTTO_PASSPHRASE: passphrase,
    })
    expect([code, dataOf(stdout)]).toEqual([0, { replaced: true }])
    expect(new Set([first, second, await savedSecret()]).size).toBe(3)
  })

  it('is refused with its code if the vault can’t be opened', async () => {
    const before = await savedSecret()
    const { code, stdout } = await privacy(['replace-cache-secrets', '--json'], {
      SOTTO_VAULT: 'file',
      SOTTO_PASSPHRASE: 'wrong',
    })
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'vault/locked' } }])
    expect(await savedSecret()).toBe(before)
  })
})

describe('fresh-evidence', () => {
  it('is asked for directly at once, and shown', async () => {
    const file = { SOTTO_VAULT: 'file', SOTTO_PASSPHRASE: passphrase }
    expect(await privacy(['fresh-evidence', 'direct'], file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('which sees this computer’s address\n') as unknown,
    })
    expect((await privacy(['show'], file)).stdout).toMatch(/Fresh evidence: from 127\.0\.0\.1:\d+, which/)
    const { code, stderr } = await privacy(['fresh-evidence', 'somewhere'], file)
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are direct, relayed, never')])
  })
})

describe('show and firmware-minimum', () => {
  it('say that a service without a lower floor of the provider has none to accept', async () => {
    const file = { SOTTO_VAULT: 'file', SOTTO_PASSPHRASE: passphrase }
    expect(await privacy(['show'], file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^New releases: trusted automatically\nPinned measurements: none\nFresh evidence: from .*\n$/,
      ) as unknown,
    })
    const { code, stdout } = await privacy(['firmware-minimum', 'provider', '--json'], file)
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'policy/no-provider-floor' } }])
  })

  it.runIf(hasTerminal)(
    'accept the provider’s lower floor with the code of Sotto’s terminal only, and undo it without',
    async () => {
      await writeChosenService(folder, 'ppq')
      const sotto = await startSotto(folder)
      const strict = 'Server firmware: Sotto’s minimum. The provider’s is lower (Genoa: snp 23 → 14).\n'
      expect((await privacy([])).stdout).toContain(strict)

      await using terminal = atTerminal(['privacy', 'firmware-minimum', 'provider'], {
        SOTTO_DATA_DIR: folder,
      })
      await terminal.shows(
        'Confirm: Lower the minimum firmware for inference.tinfoil.sh to the provider’s (Genoa: snp 23 → 14)?',
      )
      expect((await privacy([])).stdout).toContain(strict)
      const [code = ''] = codesIn(sotto.stderr())
      const { confirmations } = clientOver(ownerFetch(folder))
      const { id = '' } = (await confirmations.pending()) ?? {}
      expect(await confirmations.answer({ id, code })).toEqual({ accepted: true })
      expect([await terminal.ended, terminal.written()]).toEqual([
        0,
        expect.stringContaining('Server firmware: accepted floor below AMD-SB-3019 (Genoa: snp 23 → 14).'),
      ])

      const undone = await privacy(['firmware-minimum', 'sotto', '--json'])
      expect([undone.code, dataOf(undone.stdout)]).toMatchObject([
        0,
        { choices: { providerFloors: { accepted: false, floors: [{ product: 'Genoa' }] } } },
      ])
      await sotto.stop('SIGTERM')
    },
  )
})
