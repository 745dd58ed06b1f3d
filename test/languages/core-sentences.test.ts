import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { beforeAll, expect, test } from 'vitest'
import { attestationCodes } from '../../src/shared/attestation-codes.ts'
import { errorCodes } from '../../src/shared/error-codes.ts'
import { sandboxFaults } from '../../src/shared/sandbox-faults.ts'
import { sandboxWalletFaults } from '../../src/shared/sandbox-wallet-faults.ts'
import { limitOf } from '../../src/shared/step-limits.ts'
import { verdictNotices } from '../../src/shared/verdict.ts'

const root = resolve(import.meta.dirname, '../..')

let held: ReadonlySet<string>
beforeAll(async () => {
  const [catalogue] = await getCatalogs(getConfig({ cwd: root }))
  held = new Set(Object.keys((await catalogue!.read('en')) ?? {}))
})

/** The source of the steps of a proof. */
function stepSources(): string[] {
  const folder = join(root, 'src/core/attestation')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) => name.endsWith('.ts')).map(({ parentPath, name }) => join(parentPath, name))
  return [...files, join(root, 'src/core/channel/release-memory.ts')].map((file) => readFileSync(file, 'utf8'))
}

test('what the core says from a table is in the catalogues under its own English', () => {
  const said = [
    ...Object.values(errorCodes).flatMap(({ says, remedy }) => [says, remedy]),
    ...Object.values(attestationCodes),
    ...Object.values(verdictNotices),
    ...Object.values(sandboxFaults).map(({ says }) => says),
    ...Object.values(sandboxWalletFaults),
  ]
  expect(said.length).toBeGreaterThan(300)
  expect(said.filter((english) => !held.has(english))).toEqual([])
})

test('what each step of a proof leaves open is, by step and by kind', () => {
  const steps = [...new Set(stepSources().flatMap((source) => source.match(/(?<=['"`])[a-z]+\/[a-z-]+(?=['"`])/g) ?? []))]
  const limits = [...new Set(steps.flatMap((step) => limitOf(step) ?? []))]
  expect(limits.length).toBeGreaterThan(30)
  for (const kind of ['amd/root', 'amd/intermediate', 'amd/revocation', 'vcek/validity', 'td/debug', 'td/tcb', 'intel/tcb-info', 'sigstore/certificate']) limits.push(limitOf(kind) ?? kind)
  expect(limits.filter((english) => !held.has(english))).toEqual([])
})

test('what each step of a proof is called is', () => {
  const titles = stepSources().flatMap((source) => [...source.matchAll(/\btitle: '([^']+)'/g)].flatMap(([, title]) => title ?? []))
  expect(titles.length).toBeGreaterThan(40)
  expect(titles.filter((english) => !held.has(english))).toEqual([])
})

test('what the sandbox’s routes are for is, where Settings list them', () => {
  const routes = readdirSync(join(root, 'src/sandbox/routes')).map((name) => readFileSync(join(root, 'src/sandbox/routes', name), 'utf8')).flatMap((source) => [...source.matchAll(/\b(?:tag|summary|group): '([^']+)'/g)].flatMap(([, words]) => words ?? []))
  expect(routes.length).toBeGreaterThan(40)
  expect(routes.filter((english) => !held.has(english))).toEqual([])
})

test('what the window itself found is', () => {
  const source = readFileSync(join(root, 'src/renderer/ui/failure.ts'), 'utf8')
  const said = [...source.matchAll(/\b(?:says|remedy): '([^']+)'/g)].flatMap(([, words]) => words ?? [])
  expect(said.length).toBeGreaterThan(7)
  expect(said.filter((english) => !held.has(english))).toEqual([])
})
