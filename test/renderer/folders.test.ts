import { beforeEach, expect, test, vi } from 'vitest'
import type { Folder } from '../../src/shared/prompt.ts'
import type { Status } from '../../src/shared/status.ts'

/** Lists of folders that wait for the test's answer, in the order in which they were asked for. */
const lists: ((folders: readonly Folder[]) => void)[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    conversations: { list: () => Promise.resolve([]) },
    models: { list: () => Promise.resolve([]) },
    folders: { list: () => new Promise((answer) => lists.push(answer)) },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { loadFolders, useFolders } = await import('../../src/renderer/features/chat/folder-store.ts')

const settled = () => new Promise(setImmediate)
const use = (profileId: string) =>
  setStatus({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status)

beforeEach(() => {
  use('one')
  lists.length = 0
  useFolders.setState({ folders: undefined })
})

test('ignores folders that arrive after the service was changed', async () => {
  void loadFolders()
  use('two')
  const folder = (id: string): Folder => ({ id, name: id, collapsed: false })
  lists[1]?.([folder('new')])
  lists[0]?.([folder('old')])
  await settled()
  expect(useFolders.getState().folders?.map(({ id }) => id)).toEqual(['new'])
})
