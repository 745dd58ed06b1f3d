import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { verify } from '../../src/cli/verify.ts'
import type { VerifyOptions } from '../../src/cli/print-verdict.ts'
import { MAX_PROOF_BYTES, PROOF_FORMAT, type Proof } from '../../src/shared/proof.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import { runSotto, startSotto } from '../process/sotto-process.ts'
import { dataOf, errorCodeOf } from '../process/command-json.ts'

const bundle = resolve(import.meta.dirname, '../../../shared/evidence/bundle/genoa-router-bundle.json')
if (!existsSync(bundle))
  console.log('Skipped: the real bundle is not beside this repository (../shared/evidence).')

let folder: string
let environment: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-verify-'))
  environment = { SOTTO_DATA_DIR: join(folder, 'data'), SOTTO_VAULT: 'memory', SOTTO_PORT: '0' }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Printed {
  code: number
  stdout: string
  stderr: string
}

/** The command without a process of its own: a saved file needs no other. */
async function run(file: string | undefined, options: Partial<VerifyOptions> = {}): Promise<Printed> {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text)
      return true
    }),
  )
  try {
    return { code: await verify(file, { json: false, service: 'ppq', ...options }), ...printed }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

const verdictOf = ({ stdout }: Printed) =>
  dataOf(stdout) as Verdict & {
    remark?: string
    file?: { differences: { rootsOnlyInFile: unknown[]; policy: unknown[] } }
  }

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('a saved bundle', () => {
  it.skipIf(!existsSync(bundle))('that is valid only at the given time exits with 3', async () => {
    const printed = await run(bundle, { at: '2026-02-01', json: true })
    expect(printed.code).toBe(3)
    expect(verdictOf(printed)).toMatchObject({
      good: true,
      trust: 'built-in',
      remark: 'Valid at 2026-02-01T00:00:00Z, but not now.',
      release: { repository: 'tinfoilsh/confidential-model-router' },
    })
  })
  it.skipIf(!existsSync(bundle))('that is refused, at the given time or now, exits with 1', async () => {
    for (const at of [{ at: '2026-01-15' }, { at: '2026-05-01T00:00:00Z' }, {}]) {
      const printed = await run(bundle, { ...at, json: true })
      expect([printed.code, verdictOf(printed).good]).toEqual([1, false])
    }
  })
  it.skipIf(!existsSync(bundle))(
    'is explained step by step, including the steps that were not checked',
    async () => {
      const { stdout } = await run(bundle, { at: '2026-05-01' })
      expect(stdout).toMatch(/^NOT VERIFIED: inference\.tinfoil\.sh/)
      expect(stdout).toMatch(/✗ TLS certificate’s dates include today \(claim, not signed\)/)
      expect(stdout).toMatch(
        /– TLS certificate was issued by a public authority \(claim, not signed\)\n {6}not checked: /,
      )
      expect(stdout).toContain('Not valid at 2026-05-01T00:00:00Z.')
    },
  )
})

it('unusable input exits with 2 and its error code', async () => {
  const junk = await file('junk.json', '{"not":"evidence"}')
  const cases: [string | undefined, Partial<VerifyOptions>, string][] = [
    [join(folder, 'none'), {}, 'proof/unreadable'],
    [folder, {}, 'proof/unreadable'],
    [junk, { at: 'yesterday' }, 'verify/argument'],
    [junk, { service: 'none' }, 'verify/argument'],
    [undefined, { at: '2026-01-01' }, 'verify/argument'],
    [junk, { save: join(folder, 'new') }, 'verify/argument'],
    [await file('large.json', ' '.repeat(MAX_PROOF_BYTES + 1)), {}, 'proof/too-large'],
    [await file('half.json', '{"format":"sotto-proof/v1","evidence":""}'), {}, 'proof/malformed'],
    [await file('later.json', '{"format":"sotto-proof/v3"}'), {}, 'proof/unsupported-version'],
  ]
  for (const [path, options, expected] of cases) {
    const asJson = await run(path, { ...options, json: true })
    expect([path, asJson.code, errorCodeOf(asJson.stdout)]).toEqual([path, 2, expected])
    const asText = await run(path, options)
    expect([asText.code, asText.stdout, asText.stderr.endsWith(` (${expected})\n`)]).toEqual([2, '', true])
  }
  const jsonResult = await run(junk, { json: true })
  expect([jsonResult.code, verdictOf(jsonResult).failure?.code]).toEqual([2, 'evidence/malformed'])
})

describe('a proof file', () => {
  it('is saved from live evidence, never overwrites a file, and is refused under the trust roots of this installation', async () => {
    const saved = join(folder, 'proof.json')
    const live = await runSotto(['verify', '--save', saved, '--json'], environment)
    expect(live.code).toBe(0)
    const proof = JSON.parse(await readFile(saved, 'utf8')) as Proof
    expect(proof).toMatchObject({
      format: PROOF_FORMAT,
      trust: { name: 'sandbox' },
      verdict: { good: true, evidenceDigest: (dataOf(live.stdout) as Verdict).evidenceDigest },
    })
    const again = await runSotto(['verify', '--save', saved], environment)
    expect([again.code, await readFile(saved, 'utf8')]).toEqual([2, `${JSON.stringify(proof, null, 2)}\n`])
    expect(again.stderr).toContain('(proof/unwritable)')

    const jsonResult = await run(saved, { json: true })
    expect([jsonResult.code, verdictOf(jsonResult).good, verdictOf(jsonResult).trust]).toEqual([
      1,
      false,
      'built-in',
    ])
    expect(verdictOf(jsonResult).file?.differences.rootsOnlyInFile).toEqual(proof.trust.roots)
    expect(verdictOf(jsonResult).file?.differences.policy).not.toEqual([])
    const textResult = await run(saved)
    expect(textResult.code).toBe(1)
    const [root] = proof.trust.roots
    for (const part of [
      'NOT VERIFIED',
      'A sandbox’s trust roots prove nothing about real hardware',
      `Trust root only in the file: ${root!.name}, SHA-256 ${root!.sha256}`,
    ])
      expect(textResult.stdout).toContain(part)
  }, 60_000)

  it.skipIf(!existsSync(bundle))(
    'is verified only by its evidence; a different policy, trust root or verdict in it is reported',
    async () => {
      const evidence = await readFile(bundle)
      const proof: Proof = {
        format: 'sotto-proof/v1',
        savedAt: '2026-02-01T00:00:00.000Z',
        evidence: evidence.toString('base64'),
        policy: { enclaveHost: 'inference.tinfoil.sh\u001b[2J', sevSnp: { minimumBuild: 0 } },
        trust: { name: 'built-in', roots: [{ name: 'A root of somebody', sha256: 'ab'.repeat(32) }] },
        verdict: { good: true, verifiedAt: Date.parse('2026-02-01'), evidenceDigest: 'cd'.repeat(32) },
      }
      const path = await file('real.json', proof)
      const then = await run(path, { at: '2026-02-01', json: true })
      expect([then.code, verdictOf(then).good, verdictOf(then).trust]).toEqual([3, true, 'built-in'])
      const now = await run(path)
      expect(now.code).toBe(1)
      for (const part of [
        'Trust root only in the file: A root of somebody',
        'The policy differs in sevSnp.minimumBuild: 0 in the file, 21 in this installation.',
        'The verdict in the file belongs to different evidence.',
        'To verify it as of the time it was saved, add: --at 2026-02-01T00:00:00.000Z',
      ])
        expect(now.stdout).toContain(part)
      // A file's words do not steer the terminal.
      expect(now.stdout).not.toContain('\u001b')

      const changed = Buffer.from(evidence)
      const at = evidence.indexOf('"digest"') + 12
      changed.writeUInt8(changed.readUInt8(at) === 0x30 ? 0x31 : 0x30, at)
      const other = await run(await file('other.json', { ...proof, evidence: changed.toString('base64') }), {
        at: '2026-02-01',
        json: true,
      })
      expect([other.code, verdictOf(other).good]).toEqual([1, false])
    },
  )
})

it('live evidence exits with 0 if it is valid and with 1 if it is not, also through the running Sotto', async () => {
  const sotto = await startSotto(join(folder, 'owned'))
  try {
    const owned = { SOTTO_DATA_DIR: join(folder, 'owned') }
    expect((await runSotto(['verify'], owned)).code).toBe(0)
    await sotto.call('sandbox/setFault', { fault: 'debug-guest', on: true })
    const refused = await runSotto(['verify', '--json'], owned)
    expect([refused.code, (dataOf(refused.stdout) as Verdict).failure?.code]).toEqual([
      1,
      'report/debug-guest',
    ])
  } finally {
    await sotto.stop('SIGTERM')
  }
}, 60_000)
