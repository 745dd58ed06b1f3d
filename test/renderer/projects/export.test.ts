// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { Project } from '../../../src/shared/project.ts'
import { drawInPage, settled } from '../in-page.ts'

const { projects, saveBlob } = vi.hoisted(() => ({ projects: { export: vi.fn() }, saveBlob: vi.fn() }))
vi.mock('../../../src/renderer/ui/api.ts', () => ({ api: { projects } }))
vi.mock('../../../src/renderer/ui/save-file.ts', () => ({ saveBlob }))

const { ExportProject } = await import('../../../src/renderer/features/projects/export-project.tsx')

/** The dialog reads only these. */
const project = { id: 'p', name: 'Report' } as Project

test('an export shows its progress, and saves nothing after a stop', async () => {
  projects.export.mockImplementation((_, { signal }: { signal: AbortSignal }) =>
    Promise.resolve(
      (async function* () {
        yield { type: 'text', text: 'a' }
        yield { type: 'progress', done: 1, of: 3 }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        yield { type: 'ended', conversations: 3, unreadable: 0 }
      })(),
    ),
  )
  drawInPage(createElement(ExportProject, { project, close: () => undefined }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Encrypt with a passphrase' }))
  fireEvent.click(screen.getByRole('button', { name: 'Export project' }))
  await settled()
  expect(screen.getByLabelText<HTMLProgressElement>('File progress').value).toBe(1)
  expect(screen.getByText('1 of 3')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  await settled()
  expect(screen.getByText('Stopped. Nothing was saved.')).toBeDefined()
  expect(screen.queryByLabelText('File progress')).toBeNull()
  expect(saveBlob).not.toHaveBeenCalled()
})
