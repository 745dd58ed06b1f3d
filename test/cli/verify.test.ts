import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Verdict } from '../../src/shared/verdict.ts'
import { runSotto, startSotto } from '../process/sotto-process.ts'

const bundle = resolve(import.meta.dirname, '../../../shared/evidence/bundle/genoa-router-bundle.json')
if (!existsSync(bundle)) console.log('Skipped: the real bundle is not beside this repository (../shared/evidence).')

let folder: string
let environment: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-verify-'))
  environment = { SOTTO_DATA_DIR: join(folder, 'data'), SOTTO_VAULT: 'memory', SOTTO_PORT: '0' }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('sotto verify', () => {
  it.skipIf(!existsSync(bundle))('exits 3 for a bundle that is good only at the time that was asked for', async () => {
    const { code, stdout } = await runSotto(['verify', bundle, '--at', '2026-02-01', '--json'], environment)
    const verdict = JSON.parse(stdout) as Verdict
    expect([code, verdict.good, verdict.trust]).toEqual([3, true, 'built-in'])
    expect(verdict.release?.repository).toBe('tinfoilsh/confidential-model-router')
  })
  it.skipIf(!existsSync(bundle))('exits 1 for one that is refused, at that time or now', async () => {
    for (const at of [['--at', '2026-01-15'], ['--at', '2026-05-01T00:00:00Z'], []]) {
      const { code, stdout } = await runSotto(['verify', bundle, ...at, '--json'], environment)
      expect([code, (JSON.parse(stdout) as Verdict).good]).toEqual([1, false])
    }
  })
  it.skipIf(!existsSync(bundle))('names the step to a person', async () => {
    const { stdout } = await runSotto(['verify', bundle, '--at', '2026-05-01'], environment)
    expect(stdout).toMatch(/^REFUSED: inference\.tinfoil\.sh/)
    expect(stdout).toMatch(/✗ The TLS certificate is valid now/)
  })
  it('exits 2 for what it cannot use', async () => {
    const junk = join(folder, 'junk.json')
    await writeFile(junk, '{"not":"evidence"}')
    for (const args of [[junk], [join(folder, 'none')], [folder], [junk, '--at', 'yesterday'], [junk, '--service', 'none'], ['--at', '2026-01-01']]) {
      expect([args, (await runSotto(['verify', ...args], environment)).code]).toEqual([args, 2])
    }
  })
  it('judges the live evidence: exit 0 where it is sound, 1 where it is not, through the owner or alone', async () => {
    const alone = await runSotto(['verify', '--json'], environment)
    expect([alone.code, (JSON.parse(alone.stdout) as Verdict).trust]).toEqual([0, 'sandbox'])
    const sotto = await startSotto(join(folder, 'owned'))
    try {
      const owned = { SOTTO_DATA_DIR: join(folder, 'owned') }
      expect((await runSotto(['verify'], owned)).code).toBe(0)
      await sotto.call('sandbox/setFault', { fault: 'expired-certificate', on: true })
      const refused = await runSotto(['verify', '--json'], owned)
      expect([refused.code, (JSON.parse(refused.stdout) as Verdict).failure?.code]).toEqual([1, 'vcek/expired'])
      await sotto.call('sandbox/setFault', { fault: 'expired-certificate', on: false })
    } finally {
      await sotto.stop('SIGTERM')
    }
  })
})
