import { expect, test, vi } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { loadRoots } from '../../src/sandbox/world/roots.ts'
import { createAccount, sandboxFolder } from './cached-roots.ts'

vi.mock(import('../../src/sandbox/world/roots.ts'), async (original) => {
  const roots = await original()
  return { ...roots, loadRoots: vi.fn(roots.loadRoots) }
})

test('roots are loaded or created on first use, not at the start', async () => {
  const folder = await sandboxFolder()
  vi.mocked(loadRoots).mockClear()
  const sandbox = await startSandbox({ folder, pace: 'none' })
  try {
    await createAccount(sandbox)
    expect(loadRoots).not.toHaveBeenCalled()
    const [first, second] = await Promise.all([sandbox.trust(), sandbox.trust()])
    expect(first).toEqual(second)
    expect((await fetch(`${sandbox.baseUrl}/private/attestation`)).status).toBe(200)
    expect(loadRoots).toHaveBeenCalledTimes(1)
  } finally {
    await sandbox.close()
  }
})

test('roots that couldn’t be saved are created again on the next use', async () => {
  const sandbox = await startSandbox({ folder: await sandboxFolder(), pace: 'none' })
  try {
    vi.mocked(loadRoots).mockRejectedValueOnce(new Error('no space left on device'))
    await expect(sandbox.trust()).rejects.toThrow('no space left on device')
    await expect(sandbox.trust()).resolves.toBeDefined()
  } finally {
    await sandbox.close()
  }
})
