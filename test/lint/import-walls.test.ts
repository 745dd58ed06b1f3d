import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'
import { importWalls, PACKAGES, zoneOf, zones } from '../../lint/import-walls.js'
import { samples } from './import-wall-samples.ts'

const root = dirname(dirname(import.meta.dirname))
const linter = new Linter({ cwd: root })

/** The rule's messages about `code` in src/`file`. */
function check(file: string, code: string): string[] {
  const messages = linter.verify(
    code,
    [
      {
        files: ['**/*.ts', '**/*.tsx', '**/*.js'],
        languageOptions: { parser: tseslint.parser },
        plugins: { sotto: { rules: { 'import-walls': importWalls } } },
        rules: { 'sotto/import-walls': 'error' },
      },
    ],
    { filename: join(root, 'src', file) },
  )
  for (const { ruleId, message } of messages) if (ruleId !== 'sotto/import-walls') throw new Error(message)
  return messages.map(({ message }) => message)
}

/** The relative specifier by which src/`from` names src/`to`. */
function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
const importsFile = (from: string, to: string): string[] =>
  check(from, `import { x } from '${specifier(from, to)}'`)
const importsType = (from: string, to: string): string[] =>
  check(from, `import type { X } from '${specifier(from, to)}'`)
const importsModule = (from: string, name: string): string[] => check(from, `import { x } from '${name}'`)

describe('every zone', () => {
  it('is sampled here', () =>
    expect(Object.keys(samples).sort()).toEqual(zones.map(({ path }) => path).sort()))

  describe.each(Object.entries(samples))('%s', (path, { file, files, modules }) => {
    it('holds its sample', () => expect(zoneOf(file)?.path).toBe(path))
    it.each(files.allowed)('may import %s', (to) => expect(importsFile(file, to)).toEqual([]))
    it.each(files.refused)('may not import %s', (to) =>
      expect(importsFile(file, to)).toEqual([`${path} may not import ${to}`]),
    )
    if (modules.allowed.length > 0)
      it.each(modules.allowed)('may import the module %s', (name) =>
        expect(importsModule(file, name)).toEqual([]),
      )
    it.each(modules.refused)('may not import the module %s', (name) =>
      expect(importsModule(file, name)).toEqual([`${path} may not import ${name}`]),
    )
  })
})

describe('what a zone is given', () => {
  const source = join(root, 'src')
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
  const imported = new Map<string, string[]>()
  for (const file of files) {
    const path = zoneOf(file)?.path ?? ''
    const named = [
      ...readFileSync(join(source, file), 'utf8').matchAll(
        /(?:from|import\(?|getBuiltinModule\()\s*'([^']+)'/g,
      ),
    ].map(([, name = '']) =>
      name.startsWith('.') ? relative(source, join(source, dirname(file), name)) : name,
    )
    imported.set(path, [...(imported.get(path) ?? []), ...named])
  }

  it.each(zones.map((zone) => [zone.path, zone] as const))(
    '%s has a use for',
    (path, { may, types = [], modules }) => {
      const allowed = [...may.filter((folder) => folder !== path), ...types, ...modules]
      expect(
        allowed.filter((name) => !imported.get(path)?.some((to) => to === name || to.startsWith(`${name}/`))),
      ).toEqual([])
    },
  )
})

/** One file in each zone. */
const everywhere = Object.values(samples).map(({ file }) => file)
const where = (allowed: (file: string) => boolean): { may: string[]; mayNot: string[] } => ({
  may: everywhere.filter(allowed),
  mayNot: everywhere.filter((file) => !allowed(file)),
})

describe('the walls of the design', () => {
  it('keep the renderer from the core, also by its types', () => {
    expect(importsFile('renderer/app.tsx', 'core/core.ts')).not.toEqual([])
    expect(importsType('renderer/app.tsx', 'core/core.ts')).not.toEqual([])
  })
  it('leave one way out: only the gateway and what creates the core import the channel and requests of the service', () => {
    for (const [to, importers] of [
      ['core/gateway/channel/index.ts', ['core/gateway/channel/enclave-channel.ts']],
      [
        'core/gateway/service/inference/chat.ts',
        ['core/gateway/service/inference/chat.ts', 'core/payments/nwc/wallet.ts'],
      ],
    ] as const) {
      const { may } = where((file) => importsFile(file, to).length === 0)
      expect(may.sort()).toEqual(
        [...importers, 'core/create-core.ts', 'core/gateway/proxy/proxy-server.ts'].sort(),
      )
    }
  })
  it('keep the leaves from each other', () => {
    const leaves = ['verifier', 'ehbp', 'core/gateway/service', 'core/storage']
    for (const from of leaves)
      for (const to of leaves) {
        if (from === to) continue
        expect(importsFile(`${from}/a.ts`, `${to}/index.ts`), `${from} -> ${to}`).toHaveLength(1)
        expect(importsType(`${from}/a.ts`, `${to}/index.ts`), `${from} -> type of ${to}`).toHaveLength(1)
      }
  })
  it.each(Object.entries(PACKAGES))('show only the entries of the package %s', (name, entries) => {
    const inside = (path: string) => path === name || path.startsWith(`${name}/`)
    const permitted = zones
      .filter(({ path }) => !inside(path))
      .flatMap(({ may, types = [] }) => [...may, ...types])
      .filter(inside)
    expect([...new Set(permitted)].sort()).toEqual([...entries].sort())
  })
  it.each(Object.keys(PACKAGES))('let the package %s import nothing but itself', (name) => {
    expect(zoneOf(`${name}/a.ts`)).toMatchObject({ path: name, may: [name] })
    expect(zones.filter(({ path }) => path.startsWith(`${name}/`))).toEqual([])
  })
  it('keep the sandbox from our code: of shared/ it takes types, the token estimate and the names of its faults, and nothing else that runs', () => {
    expect(importsType('sandbox/profile.ts', 'shared/profile.ts')).toEqual([])
    expect(importsFile('sandbox/profile.ts', 'shared/profile.ts')).toHaveLength(1)
    expect(check('sandbox/profile.ts', "import { type Profile } from '../shared/profile.ts'")).toHaveLength(1)
    expect(check('sandbox/profile.ts', "export type { Profile } from '../shared/profile.ts'")).toEqual([])
    expect(check('sandbox/profile.ts', "export { profileSchema } from '../shared/profile.ts'")).toHaveLength(
      1,
    )
    expect(importsType('sandbox/profile.ts', 'core/core.ts')).toHaveLength(1)
  })
  it('keep one feature of the window from another', () => {
    expect(importsFile('renderer/features/chat/send.ts', 'renderer/features/wallet/pay.ts')).toEqual([
      'renderer/features/chat may not import another feature',
    ])
    expect(importsFile('renderer/features/chat/send.ts', 'renderer/features/chat-more/a.ts')).toHaveLength(1)
    expect(importsFile('renderer/features/chat/deep/a.ts', 'renderer/features/chat/send.ts')).toEqual([])
    expect(
      importsFile('renderer/features/studio/images/images-tab.tsx', 'renderer/features/data/data-view.tsx'),
    ).toEqual(['renderer/features/studio may not import another feature'])
    expect(
      importsFile('renderer/features/studio/images/images-tab.tsx', 'renderer/ui/jobs/jobs-store.ts'),
    ).toEqual([])
    expect(
      importsFile('renderer/features/data/batch/batch-tab.tsx', 'renderer/features/studio/studio-view.tsx'),
    ).toHaveLength(1)
    expect(importsFile('renderer/ui/jobs/job-card.tsx', 'core/jobs/index.ts')).toHaveLength(1)
    expect(importsFile('renderer/app.tsx', 'renderer/features/chat/send.ts')).toEqual([])
  })
  it.each([
    ['electron', ['main/updates/client.ts', 'preload/index.ts']],
    ['electron-updater', ['main/updates/client.ts']],
    ['react', ['renderer/features/chat/send.ts']],
    ['fastify', ['core/gateway/proxy/proxy-server.ts', 'sandbox/world/amd.ts']],
    ['gpt-tokenizer', ['core/gateway/tokens/text.ts']],
    ['node:sqlite', ['core/storage/receipts.ts', 'sandbox/world/amd.ts']],
    ['undici', ['host/host.ts', 'sandbox/world/amd.ts']],
    ['@getalby/sdk', []],
    ['ws', ['core/payments/nwc/wallet.ts', 'host/host.ts', 'sandbox/world/amd.ts']],
    ['@nostr-relay/core', ['sandbox/world/amd.ts']],
    ['lightningdevkit', ['sandbox/world/amd.ts']],
  ])('have %s only where it belongs', (name, belongs) => {
    expect(where((file) => importsModule(file, name).length === 0).may.sort()).toEqual([...belongs].sort())
  })
})

describe('the rule', () => {
  const file = 'renderer/app.tsx'
  it.each([
    ['import', "import x from 'electron'"],
    ['import for its effects', "import 'electron'"],
    ['import of everything', "import * as x from 'electron'"],
    ['import of a type', "import type { X } from 'electron'"],
    ['export … from', "export { x } from 'electron'"],
    ['export of everything', "export * from 'electron'"],
    ['export of a type', "export type { X } from 'electron'"],
    ['import()', "const x = await import('electron')"],
    ['import() in an expression', "void import('electron').then((x) => x)"],
    ['require()', "const x = require('electron')"],
    ['import type', "let x: import('electron').App"],
    ['typeof import', "let x: typeof import('electron')"],
    ['a module below the package', "import x from 'electron/main'"],
    ['a query after it', "import x from 'electron?raw'"],
    ['a file', "import x from '../core/core.ts'"],
    ['import() of a file', "const x = await import('../core/core.ts')"],
    ['require() of a file', "const x = require('../core/core.ts')"],
    ['import type of a file', "let x: import('../core/core.ts').Core"],
    ['a file, the long way round', "import x from '../renderer/./ui/../../core/core.ts'"],
    ['a file of the same name outside src/', "import x from '../../core/core.ts'"],
    ['a file outside that reads like one inside', "import x from '../../../src/renderer/ui/api.ts'"],
    ['an absolute file', "import x from '/etc/passwd'"],
    ['a URL', "import x from 'data:text/javascript,1'"],
    ['a package that begins alike', "import x from 'react-dom-else'"],
    ['the way past import', "const x = process.getBuiltinModule('node:fs')"],
    ['the other way past import', 'const x = createRequire(import.meta.url)'],
  ])('checks %s', (_kind, code) => expect(check(file, code)).toHaveLength(1))
  it.each([
    ['a name that is computed', 'const x = await import(name)'],
    ['a name that is put together', "const x = await import('re' + 'act')"],
    ['a template', 'const x = await import(`react`)'],
    ['require of a variable', 'const x = require(name)'],
  ])('refuses %s', (_kind, code) =>
    expect(check(file, code)).toEqual(['an import names its module in plain text']),
  )
  it.each([
    ['what it may', "import x from 'react'"],
    ['a style', "import styles from './ui/a.module.css'"],
    ['an export of its own', 'export const x = 1'],
    ['a method of that name', "const x = loader.require('electron')"],
  ])('lets %s', (_kind, code) => expect(check(file, code)).toEqual([]))
  it('refuses everything in a folder that no zone covers', () => {
    for (const stray of ['stray/a.ts', 'stray.ts', 'corelike/a.ts']) {
      expect(check(stray, "import { z } from 'zod'"), stray).toEqual([
        `src/${stray} is in no zone of lint/import-walls.js`,
      ])
      expect(importsFile(stray, 'shared/model.ts'), stray).toHaveLength(1)
    }
  })
  it('has a zone for every source file that there is', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const paths = files.map((entry) =>
      relative(join(root, 'src'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    )
    expect(paths.length).toBeGreaterThan(100)
    expect(paths.filter((path) => zoneOf(path) === undefined)).toEqual([])
  })
  it('checks nothing outside src/', () => {
    const [message] = linter.verify(
      "import 'electron'",
      [
        {
          plugins: { sotto: { rules: { 'import-walls': importWalls } } },
          rules: { 'sotto/import-walls': 'error' },
        },
      ],
      { filename: join(root, 'test/src/a.js') },
    )
    expect(message).toBeUndefined()
  })
})

describe('the configuration', () => {
  const eslint = new ESLint({ cwd: root })
  const severity = async (file: string, rule: string): Promise<unknown> => {
    const config = (await eslint.calculateConfigForFile(join(root, file))) as {
      rules: Record<string, unknown[]>
    }
    return config.rules[rule]?.[0]
  }
  const sources = everywhere.map((file) => `src/${file}`)

  it.each([
    'sotto/import-walls',
    '@typescript-eslint/no-explicit-any',
    '@typescript-eslint/consistent-type-assertions',
    '@typescript-eslint/no-non-null-assertion',
    'no-restricted-syntax',
    'no-restricted-globals',
  ])('has %s as an error in every zone', async (rule) => {
    for (const file of sources) expect(await severity(file, rule), file).toBe(2)
  })
  it('allows the global fetch only in the window’s client', async () => {
    expect(await severity('src/renderer/ui/api.ts', 'no-restricted-globals')).toBe(0)
  })
  it('refuses what it must in the core', async () => {
    const lines = [
      ['export default 1', 'no-restricted-syntax'],
      ['export const a: any = 1', '@typescript-eslint/no-explicit-any'],
      ['export const b = JSON.parse("1") as number', '@typescript-eslint/consistent-type-assertions'],
      ['export const c = <number>JSON.parse("1")', '@typescript-eslint/consistent-type-assertions'],
      ['export const d = (): Promise<unknown> => fetch("https://example.com")', 'no-restricted-globals'],
      ['export const e = new WebSocket("wss://example.com")', 'no-restricted-globals'],
      ['console.log(1)', 'no-console'],
      ['import "electron"', 'sotto/import-walls'],
    ] as const
    const [result] = await eslint.lintText(`${lines.map(([code]) => code).join('\n')}\n`, {
      filePath: join(root, 'src/core/core.ts'),
    })
    const found = lines.map((_, index) =>
      (result?.messages ?? [])
        .filter(({ line, severity: of }) => line === index + 1 && of === 2)
        .map(({ ruleId }) => ruleId),
    )
    for (const [index, [code, rule]] of lines.entries()) expect(found[index], code).toContain(rule)
  })
})
