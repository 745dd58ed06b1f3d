import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type * as Ehbp from '../../src/ehbp/index.ts'
import type * as Verifier from '../../src/verifier/index.ts'
import { lintPackage, packageNames, packPackage, type PackedPackage } from '../../build/pack-package.ts'

/** The packages of the tree as npm would publish them. They are within the repository, so that zod is found. */
const out = join(import.meta.dirname, '../../out')
mkdirSync(out, { recursive: true })
const parent = mkdtempSync(join(out, 'packages-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()).default({}) })

describe.each(packageNames)('the package %s', (name) => {
  let packed: PackedPackage
  beforeAll(async () => {
    packed = await packPackage(name, parent)
  })

  it('contains its compiled entries, declarations, README and license, and no source', () => {
    const light = name === 'verifier' ? 'types' : 'prepare'
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'package.json',
        ...['index', light].flatMap((entry) => [`dist/${entry}.js`, `dist/${entry}.d.ts`]),
      ]),
    )
    if (name === 'verifier') expect(packed.files).toContain('dist/known-answers/sev-snp.json')
    expect(
      packed.files.filter(
        (file) => !/^dist\/[\w/-]+\.(js|d\.ts|json)$|^(LICENSE|README\.md|package\.json)$/.test(file),
      ),
    ).toEqual([])
  })

  it('imports only its listed dependencies', () => {
    const { dependencies } = manifestSchema.parse(
      JSON.parse(readFileSync(join(packed.folder, 'package.json'), 'utf8')),
    )
    const imported = packed.files
      .filter((file) => /\.(js|ts)$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(packed.folder, file), 'utf8').matchAll(/(?:from|import\(?)\s*'([^'.][^']*)'/g),
      ])
      .map(([, module = '']) => module)
    const allowed = [...builtinModules.map((module) => `node:${module}`), ...Object.keys(dependencies)]
    expect([...new Set(imported)].filter((module) => !allowed.includes(module))).toEqual([])
  })

  it('passes publint', async () => {
    expect(await lintPackage(packed)).toEqual([])
  })

  it('passes its known answers after compilation', async () => {
    const entry: unknown = await import(pathToFileURL(join(packed.folder, 'dist/index.js')).href)
    const holds =
      name === 'verifier'
        ? (entry as typeof Verifier).knownAnswersOf('sevSnp')
        : (entry as typeof Ehbp).knownAnswersHold()
    expect(await holds).toBe(true)
  })
})
