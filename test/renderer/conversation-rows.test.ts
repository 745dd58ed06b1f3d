import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { latestProjects, rowsOf, type Row } from '../../src/renderer/features/chat/conversation-rows.ts'
import type { Conversation } from '../../src/shared/conversation.ts'
import type { Project } from '../../src/shared/project.ts'
import type { Folder } from '../../src/shared/prompt.ts'

const labels = { pinned: 'Pinned', headingOf: (at: number) => `Day ${String(Math.floor(at / 10))}` }
const conversation = (id: string, rest: Partial<Conversation> = {}): Conversation => ({
  id,
  title: id,
  private: false,
  model: 'm',
  createdAt: 0,
  updatedAt: 0,
  ...rest,
})
function describeRow(row: Row): string {
  switch (row.kind) {
    case 'heading':
      return `# ${row.heading}`
    case 'folder':
      return `/${row.folder.name} ${String(row.count)}`
    case 'conversation':
      return `${row.folder ? '  ' : ''}${row.conversation.id}`
  }
}
const describeRows = (rows: readonly Row[]) => rows.map(describeRow)

describe('the list of conversations', () => {
  it('has the pinned conversations, the folders by name, and the rest by day', () => {
    const folders: Folder[] = [
      { id: 'w', name: 'Work' },
      { id: 'h', name: 'Home', collapsed: true },
    ]
    expect(
      describeRows(
        rowsOf(
          [
            conversation('new', { updatedAt: 25 }),
            conversation('worked', { updatedAt: 24, folderId: 'w' }),
            conversation('kept', { updatedAt: 23, pinned: true }),
            conversation('hidden', { updatedAt: 22, folderId: 'h' }),
            conversation('top', { updatedAt: 21, folderId: 'w', pinned: true }),
            conversation('lost', { updatedAt: 11, folderId: 'gone' }),
          ],
          folders,
          labels,
        ),
      ),
    ).toEqual([
      '# Pinned',
      'kept',
      '/Home 1',
      '/Work 2',
      '  top',
      '  worked',
      '# Day 2',
      'new',
      '# Day 1',
      'lost',
    ])
  })

  it('has each conversation once, except for those in collapsed folders, which are counted', () => {
    const folderId = fc.option(fc.constantFrom('a', 'b', 'gone'), { nil: undefined })
    const conversations = fc.uniqueArray(
      fc.record({ id: fc.uuid(), folderId, pinned: fc.boolean(), updatedAt: fc.nat(100) }),
      { selector: ({ id }) => id, maxLength: 30 },
    )
    fc.assert(
      fc.property(conversations, fc.boolean(), fc.boolean(), (list, a, b) => {
        const folders: Folder[] = [
          { id: 'a', name: 'A', collapsed: a },
          { id: 'b', name: 'B', collapsed: b },
        ]
        const rows = rowsOf(
          list.map(({ id, folderId: within, ...rest }) =>
            conversation(id, { ...rest, ...(within !== undefined && { folderId: within }) }),
          ),
          folders,
          labels,
        )
        const shown = rows.flatMap((row) => (row.kind === 'conversation' ? [row.conversation.id] : []))
        const hidden = rows.reduce(
          (sum, row) => sum + (row.kind === 'folder' && row.folder.collapsed === true ? row.count : 0),
          0,
        )
        expect(new Set(shown).size).toBe(shown.length)
        expect(shown.length + hidden).toBe(list.length)
      }),
    )
  })
})

describe('the projects above the list', () => {
  const project = (name: string, updatedAt: number): Project => ({
    id: name,
    name,
    instructions: '',
    privateOnly: false,
    createdAt: 0,
    updatedAt,
  })

  it('are the five that changed last, newest first', () => {
    const projects = [3, 1, 6, 2, 5, 4].map((at) => project(String(at), at))
    expect(latestProjects(projects).map(({ name }) => name)).toEqual(['6', '5', '4', '3', '2'])
    expect(latestProjects([])).toEqual([])
  })
})
