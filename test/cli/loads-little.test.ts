import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadedBy } from '../loaded-by.ts'

const source = join(import.meta.dirname, '../../src')

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
  'cli/print-release.ts',
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
