// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  attachFiles,
  putAttachments,
  useAttached,
} from '../../../src/renderer/features/chat/attachments/attached-store.ts'
import { ComposerFiles } from '../../../src/renderer/features/chat/attachments/composer-files.tsx'
import type { readFile } from '../../../src/renderer/files/read-file.ts'
import { drawInPage, settled } from '../in-page.ts'

type Reading = Parameters<typeof readFile>[1]

const { read, add, remove } = vi.hoisted(() => ({
  read: vi.fn<(file: File, reading: Reading) => Promise<never>>(),
  add: vi.fn(),
  remove: vi.fn(() => Promise.resolve()),
}))
vi.mock('../../../src/renderer/files/read-file.ts', () => ({ readFile: read }))
vi.mock('../../../src/renderer/ui/api.ts', () => ({ api: { attachments: { add, remove } } }))

const attachment = { id: 'a', name: 'a.txt', kind: 'text', type: 'text/plain', bytes: 1 } as const
const namesOf = (draft: string) => (useAttached.getState().files[draft] ?? []).map(({ name }) => name)

beforeEach(() => {
  useAttached.setState({ files: {} })
  vi.clearAllMocks()
  // Each reading lasts until it's stopped.
  read.mockImplementation(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      }),
  )
})

test('“Stop reading files” ends the reading, reads no later file and attaches nothing; attached files stay', async () => {
  putAttachments('d', [attachment])
  const focusText = vi.fn()
  drawInPage(createElement(ComposerFiles, { draft: 'd', focusText }))
  const other = attachFiles('e', [new File(['x'], 'other.txt')])
  await vi.waitFor(() => expect(read).toHaveBeenCalledOnce())
  const done = attachFiles(
    'd',
    ['b.txt', 'c.txt', 'd.txt'].map((name) => new File(['x'], name)),
  )
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  await act(settled)
  fireEvent.click(screen.getByRole('button', { name: 'Stop reading files' }))
  await done
  expect(read).toHaveBeenCalledTimes(2)
  expect(read.mock.calls.map(([{ name }, { signal }]) => [name, signal.aborted])).toEqual([
    ['other.txt', false],
    ['b.txt', true],
  ])
  expect([namesOf('d'), namesOf('e')]).toEqual([['a.txt'], ['other.txt']])
  expect(add).not.toHaveBeenCalled()
  expect(remove).not.toHaveBeenCalled()
  expect(focusText).toHaveBeenCalledOnce()
  expect(screen.queryByRole('button', { name: 'Stop reading files' })).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  void other
})

test('one file has only its own button', async () => {
  drawInPage(createElement(ComposerFiles, { draft: 'd', focusText: vi.fn() }))
  const done = attachFiles('d', [new File(['x'], 'b.txt')])
  await vi.waitFor(() => expect(read).toHaveBeenCalledOnce())
  await act(settled)
  expect(screen.queryByRole('button', { name: 'Stop reading files' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Stop reading b.txt' }))
  await done
  expect(namesOf('d')).toEqual([])
})
