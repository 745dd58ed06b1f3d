import { expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {} }))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readScopedState } = await import('../../src/renderer/data/use-answer.ts')
const { libraryDialog, showLibraryDialog } =
  await import('../../src/renderer/features/library/library-dialog-store.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string, vault = 'open'): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: vault },
  }) as Status

test.each([
  ['another service', status('two')],
  ['a locked vault', status('one', 'locked')],
])('closes the dialog for an export or an import on %s', (_, next) => {
  setStatus(status('one'))
  showLibraryDialog({ kind: 'export', conversationId: 'of one' })
  setStatus(next)
  expect(readScopedState(currentScope(), libraryDialog)).toBeNull()
})
