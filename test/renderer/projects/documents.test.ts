// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { KnowledgeDocument } from '../../../src/shared/knowledge.ts'
import { addDocuments, useAdditions } from '../../../src/renderer/features/projects/add-documents.ts'
import { DocumentsSection } from '../../../src/renderer/features/projects/documents-section.tsx'
import type { readFile, ReadyFile } from '../../../src/renderer/files/read-file.ts'
import { isReadablePath } from '../../../src/renderer/files/list-folder.ts'
import { WindowError } from '../../../src/renderer/ui/failure.ts'
import { useProjectDocuments } from '../../../src/renderer/ui/project-documents.ts'
import { drawInPage, settled } from '../in-page.ts'

type Reading = Parameters<typeof readFile>[1]

const { read, documents, add, remove } = vi.hoisted(() => ({
  read: vi.fn<(file: File, reading: Reading) => Promise<ReadyFile>>(),
  documents: vi.fn<() => Promise<KnowledgeDocument[]>>(),
  add: vi.fn<(input: { projectId: string; name: string; pages?: number }) => Promise<KnowledgeDocument>>(),
  remove: vi.fn(() => Promise.resolve({ removed: true })),
}))
vi.mock('../../../src/renderer/files/read-file.ts', () => ({ readFile: read }))
vi.mock('../../../src/renderer/ui/api.ts', () => ({ api: { knowledge: { documents, add, remove } } }))

const document = (name: string, more: Partial<KnowledgeDocument> = {}): KnowledgeDocument => ({
  id: name,
  projectId: 'p',
  name,
  bytes: 2_000,
  passages: 3,
  createdAt: 0,
  ...more,
})
const ready = ({ name }: File): ReadyFile => ({ name, type: 'text/plain', content: new Blob(['x']) })
const names = () =>
  within(screen.getByRole('list', { name: 'Files of this project' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent)

beforeEach(() => {
  vi.clearAllMocks()
  useAdditions.setState({ files: {}, notes: {} })
  useProjectDocuments.setState({ documents: {}, failure: undefined })
  documents.mockResolvedValue([])
  read.mockImplementation((file) => Promise.resolve(ready(file)))
  add.mockImplementation(({ name, pages }) =>
    Promise.resolve(document(name, pages === undefined ? {} : { pages })),
  )
})

async function show() {
  drawInPage(createElement(DocumentsSection, { projectId: 'p' }))
  await act(settled)
}

test('files are read one after another; each becomes a document, or stays with its own reason', async () => {
  read.mockImplementation((file) => {
    if (file.name === 'photo.png') return Promise.resolve({ ...ready(file), type: 'image/png' })
    if (file.name === 'gone.txt') throw new WindowError('attachment/folder')
    if (file.name === 'scan.pdf')
      return Promise.resolve({ ...ready(file), pages: 4, notes: { pagesWithoutText: [2, 3] } })
    return Promise.resolve(ready(file))
  })
  await show()
  expect(screen.getByText('No files yet')).toBeTruthy()
  await act(() =>
    addDocuments(
      'p',
      ['a.md', 'photo.png', 'gone.txt', 'scan.pdf'].map((name) => new File(['x'], name)),
      ['notes/locked.txt'],
    ),
  )
  expect(add.mock.calls.map(([{ name, pages }]) => [name, pages])).toEqual([
    ['a.md', undefined],
    ['scan.pdf', 4],
  ])
  expect(names()).toEqual([
    expect.stringMatching(/^a\.mdMD · 3 passages · 2\.0 kB · /),
    expect.stringMatching(/^scan\.pdfPDF · 4 pages · 3 passages .*No text found on pages 2–3$/),
  ])
  expect(
    screen.getAllByRole('alert').map(({ textContent }) => /knowledge\/[a-z-]+$/.exec(textContent)?.[0]),
  ).toEqual(['knowledge/image', 'knowledge/unreadable', 'knowledge/unreadable'])
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss photo.png' }))
  expect(screen.getAllByRole('alert')).toHaveLength(2)
})

test('“Stop reading files” reads no later file, and removes the document that is being added', async () => {
  const added = Promise.withResolvers<KnowledgeDocument>()
  add.mockReturnValueOnce(Promise.resolve(document('a.md'))).mockReturnValueOnce(added.promise)
  await show()
  const done = addDocuments(
    'p',
    ['a.md', 'b.md', 'c.md'].map((name) => new File(['x'], name)),
  )
  await vi.waitFor(() => expect(add).toHaveBeenCalledTimes(2))
  await act(settled)
  expect(screen.getByRole('status').textContent).toBe('Reading b.md… 1 more file')
  fireEvent.click(screen.getByRole('button', { name: 'Stop reading files' }))
  added.resolve(document('b.md'))
  await act(() => done)
  expect([read.mock.calls.length, remove.mock.calls]).toEqual([2, [[{ documentId: 'b.md' }]]])
  expect(names()).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an encrypted PDF is read again with its password', async () => {
  read.mockImplementation((file, { password }) =>
    password === 'secret'
      ? Promise.resolve(ready(file))
      : Promise.reject(new WindowError('attachment/pdf-encrypted')),
  )
  await show()
  await act(() => addDocuments('p', [new File(['x'], 'a.pdf')]))
  fireEvent.change(screen.getByLabelText('Password for a.pdf'), { target: { value: 'secret' } })
  fireEvent.click(screen.getByRole('button', { name: 'Open file' }))
  await act(settled)
  expect([names().length, screen.queryByRole('alert')]).toEqual([1, null])
})

test('a document is removed after a question', async () => {
  documents.mockResolvedValue([document('a.md'), document('b.md')])
  await show()
  fireEvent.click(screen.getByRole('button', { name: 'Remove a.md' }))
  expect(remove).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
  await act(settled)
  expect(remove.mock.calls).toEqual([[{ documentId: 'a.md' }]])
  expect(names()).toEqual([expect.stringContaining('b.md')])
})

test('the files of a folder that programs wrote for themselves are left out', () => {
  const paths = [
    'notes/a.md',
    'notes/.git/config',
    'notes/node_modules/x/readme.md',
    'notes/.env',
    'notes/a.zip',
  ]
  expect(paths.filter(isReadablePath)).toEqual(['notes/a.md'])
})
