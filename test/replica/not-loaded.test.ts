import { expect, it } from 'vitest'
import { loadedBy } from '../loaded-by.ts'

it.each(['cli/sotto.ts', 'cli/index.ts', 'cli/program.ts', 'cli/serve.ts', 'main/index.ts', 'host/host.ts'])(
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
