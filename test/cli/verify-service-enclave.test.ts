import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Proof } from '../../src/shared/proof.ts'
import { runSotto, type Finished } from '../process/sotto-process.ts'
import { PLAINTEXT_MODEL, startWorld } from '../world.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let proof: Proof
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-verify-relayed-'))
  await using world = await startWorld({ serviceEnclave: true })
  await (await world.post({ model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: 'Hello' }] })).text()
  proof = (await world.call('serviceEnclave/proof', {})) as Proof
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function verify(changed: object = {}): Promise<Finished> {
  const file = join(folder, 'proof.json')
  await writeFile(file, JSON.stringify({ ...proof, ...changed }))
  return runSotto(['verify', file, '--at', proof.savedAt, '--json'], { SOTTO_DATA_DIR: join(folder, 'data') })
}

it('judges a saved proof of the service’s enclave by its own steps, under the built-in roots only', async () => {
  const { code, stdout } = await verify()
  const verdict = dataOf(stdout) as {
    good: boolean
    enclaveHost: string
    failure: { code: string }
    remark: string
    file: { verdict: { good: boolean } }
  }
  // The sandbox's root is none of AWS's.
  expect([code, verdict.good, verdict.failure.code, verdict.enclaveHost]).toEqual([
    1,
    false,
    'nitro/root-mismatch',
    'enclave.ppq.ai',
  ])
  expect(verdict.file.verdict.good).toBe(true)
  expect(verdict.remark).toContain('Which images are accepted is taken from the file.')
})

it('refuses a proof whose list of images has another form', async () => {
  const { code, stdout } = await verify({ policy: { ...proof.policy, images: { rule: 'anything' } } })
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'proof/malformed' } }])
})
