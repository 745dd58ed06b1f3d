import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtIn, findInstalledPackages, sbomOf, shipped } from '../../build/sbom.ts'

const root = join(import.meta.dirname, '..', '..')

describe('builtIn', () => {
  it('reads the bundled packages from their license file', () => {
    const rule = '='.repeat(80)
    expect(
      builtIn(
        `Words.\n\n${rule}\nzod 4.6.7 (MIT)\n${rule}\n\nText 1.0 (of it)\n\n${rule}\n@noble/curves 2.4.0 (MIT)\n${rule}\n\n`,
      ),
    ).toEqual(new Set(['zod@4.6.7', '@noble/curves@2.4.0']))
  })
})

describe('findInstalledPackages', () => {
  it('returns the dependencies of the package, and Electron', () => {
    const packages = {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a/node_modules/@s/b': { version: '2.0.0' },
      'node_modules/vitest': { version: '5.0.0', dev: true },
      'node_modules/electron': { version: '45.0.0', dev: true },
    }
    expect(findInstalledPackages({ packages })).toEqual(new Set(['a@1.0.0', '@s/b@2.0.0', 'electron@45.0.0']))
  })
})

describe('a bill of materials', () => {
  it('names the product, and only the packages of a release', () => {
    const component = (name: string) => ({
      'bom-ref': `${name}@1.0.0`,
      name,
      version: '1.0.0',
      purl: `pkg:npm/${name}@1.0.0`,
      scope: 'optional',
      properties: [{ name: 'cdx:npm:package:development', value: 'true' }, { name: 'other' }],
    })
    const all = {
      bomFormat: 'CycloneDX',
      metadata: { component: { 'bom-ref': 'sotto@0.1.0', name: 'a-folder', type: 'library' } },
      components: [component('zod'), component('vitest')],
      dependencies: [
        { ref: 'sotto@0.1.0', dependsOn: ['zod@1.0.0', 'vitest@1.0.0'] },
        { ref: 'vitest@1.0.0', dependsOn: ['zod@1.0.0'] },
      ],
    }
    expect(shipped(all, new Set(['zod@1.0.0']), 'sotto')).toEqual({
      ...all,
      metadata: { component: { 'bom-ref': 'sotto@0.1.0', name: 'sotto', type: 'application' } },
      components: [{ ...component('zod'), scope: 'required', properties: [{ name: 'other' }] }],
      dependencies: [{ ref: 'sotto@0.1.0', dependsOn: ['zod@1.0.0'] }],
    })
  })
  it('of this build names each package in the license file, with its hash', () => {
    const { components, metadata } = sbomOf(root)
    expect(metadata.component).toMatchObject({
      name: 'sotto',
      type: 'application',
      purl: expect.stringMatching(/^pkg:npm\/sotto@/) as unknown,
    })
    const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
    // The bundler's own pieces, and what only another system would install, need not be in this machine's list.
    const expected = [
      ...builtIn(readFileSync(join(root, 'out', 'renderer', 'third-party-licences.txt'), 'utf8')),
    ]
    expect(expected.filter((name) => !named.has(name))).toEqual([])
    expect(named).toContain('@napi-rs/keyring@2.1.2')
    expect([...named].some((name) => name.startsWith('electron@'))).toBe(true)
    expect([...named].some((name) => /^(vitest|eslint|electron-builder)@/.test(name))).toBe(false)
    expect(components.every((component) => Array.isArray(component['hashes']))).toBe(true)
  }, 60_000)
})
