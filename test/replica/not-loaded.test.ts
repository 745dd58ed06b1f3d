import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

const source = join(import.meta.dirname, '../../src')

/**
 * The files and packages that loading a file loads at once, directly or through others. Imports of types and dynamic
 * imports load nothing then.
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

it.each(['cli/sotto.ts', 'cli/index.ts', 'cli/program.ts', 'cli/serve.ts', 'main/index.ts', 'host/index.ts'])(
  '%s loads nothing of the replicas',
  (entry) => {
    const loaded = [...loadedBy(entry)]
    expect(loaded.filter((name) => name.startsWith('replica/') || name.startsWith('pg'))).toEqual([])
    expect(loaded).not.toContain('core/proxy-core.ts')
  },
)

it('the command with a database does, so the search finds such imports', () => {
  const loaded = loadedBy('cli/serve-replica.ts')
  for (const name of ['replica/database.ts', 'pg', 'core/proxy-core.ts']) expect(loaded).toContain(name)
  // Only with the settings of the identity provider.
  expect(loaded).not.toContain('openid-client')
  expect(loadedBy('replica/team/admin-server.ts')).toContain('openid-client')
})
