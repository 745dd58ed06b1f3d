import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import { BRUSH, start, startStudioWorld, until } from './studio-world.ts'

test('a job that does not open does not end the following of the others', async () => {
  await using world = await startStudioWorld('B', 'single', {
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
  })
  const [damaged, other] = [
    await start(world, { kind: 'image', model: BRUSH, prompt: 'one' }),
    await start(world, { kind: 'image', model: BRUSH, prompt: 'two' }),
  ]
  const database = new DatabaseSync(join(world.folder, 'profiles', 'sandbox', 'sotto.db'))
  database.prepare('UPDATE jobs SET body = zeroblob(64) WHERE id = ?').run(damaged.id)
  database.close()
  expect(await world.call('purchases/decline', { purchaseId: damaged.purchase?.id })).toMatchObject({
    state: 'declined',
  })
  expect(await world.call('purchases/pay', { purchaseId: other.purchase?.id })).toMatchObject({
    state: 'delivered',
  })
  expect(await until(world, other.id, 'done')).toMatchObject({ purchase: { state: 'delivered' } })
})
