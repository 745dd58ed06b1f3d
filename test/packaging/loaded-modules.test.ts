import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '../../src')

/**
 * The files and packages that loading a file of `src` loads at once, directly or through others. Imports of types and
 * dynamic imports load nothing then.
 */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set([join(source, entry)])
  for (const file of loaded) {
    if (!file.startsWith(source)) continue
    for (const [, types, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\s+(type\s)?(?:[^;'=()]*?\sfrom\s+)?'([^']+)'$/gm,
    ))
      if (types === undefined) loaded.add(name.startsWith('.') ? join(file, '..', name) : name)
  }
  return new Set(
    [...loaded].map((file) =>
      file.startsWith(source) ? relative(source, file).replaceAll('\\', '/') : file,
    ),
  )
}

/** What a command loads before it knows whether Sotto runs: a person waits for it at every call. */
const commands = ['', 'studio/', 'completion/'].flatMap((folder) =>
  readdirSync(join(source, 'cli', folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => `cli/${folder}${name}`),
)

/** Commands that do the work of the core themselves. Those of replicas open the database. */
const WITH_THE_CORE: readonly string[] = [
  'cli/bootstrap.ts',
  ...commands.filter((name) => name.startsWith('cli/database')),
  'cli/sandbox.ts',
  'cli/self-test.ts',
  'cli/serve.ts',
  'cli/serve-replica.ts',
  'cli/unattended.ts',
  'cli/verify.ts',
  'cli/verify-release.ts',
  'cli/verify-saved.ts',
]

const HEAVY = /^(?:core\/core\.ts|host\/host\.ts|sandbox\/|undici|pino|fastify)/

describe('a command that asks the running Sotto', () => {
  it.each(commands.filter((name) => !WITH_THE_CORE.includes(name)))(
    '%s loads nothing of the core',
    (name) => {
      expect([...loadedBy(name)].filter((loaded) => HEAVY.test(loaded))).toEqual([])
    },
  )
  it('differs from one that works itself, so the search finds such imports', () => {
    expect([...loadedBy('cli/serve.ts')].filter((loaded) => HEAVY.test(loaded))).not.toEqual([])
  })
})

describe('a Sotto without a database', () => {
  it.each([
    'cli/sotto.ts',
    'cli/index.ts',
    'cli/program.ts',
    'cli/serve.ts',
    'main/index.ts',
    'host/host.ts',
  ])('%s loads nothing of the replicas', (entry) => {
    const loaded = [...loadedBy(entry)]
    expect(loaded.filter((name) => name.startsWith('replica/') || name.startsWith('pg'))).toEqual([])
    expect(loaded).not.toContain('core/proxy-core.ts')
  })

  it('the command with a database does, so the search finds such imports', () => {
    const loaded = loadedBy('cli/serve-replica.ts')
    for (const name of ['replica/database.ts', 'pg', 'core/proxy-core.ts']) expect(loaded).toContain(name)
    // Only with the settings of the identity provider.
    expect(loaded).not.toContain('openid-client')
    expect(loadedBy('replica/team/admin-server.ts')).toContain('openid-client')
  })
})
