// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement, type ReactElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { drawInPage, settled } from './in-page.ts'

const { history, folders } = vi.hoisted(() => ({
  history: { export: vi.fn() },
  folders: { remove: () => Promise.resolve() },
}))
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { history, folders }, endInPassing: () => undefined }))
vi.mock('../../src/renderer/ui/save-file.ts', () => ({ saveBlob: () => undefined }))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))

const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { i18n } = await import('../../src/renderer/ui/language/runtime.tsx')
const { useLanguage } = await import('../../src/renderer/ui/language/language.ts')
const { messages } = await import('../../src/renderer/languages/de.po')
const { ExportButtons } = await import('../../src/renderer/features/history/export-buttons.tsx')
const { KeyForm } = await import('../../src/renderer/features/developer/service-keys/key-form.tsx')
const { emptyDraft } = await import('../../src/renderer/features/developer/service-keys/key-draft.ts')
const { removeFolder } = await import('../../src/renderer/features/chat/folder-store.ts')
const { drawDiagram } = await import('../../src/renderer/features/chat/diagram-frame.ts')
const { UndoBar } = await import('../../src/renderer/features/chat/chat-view.tsx')

/** Reads the language at the root, as the window does. */
function draw(part: () => ReactElement) {
  function Root() {
    useLanguage()
    return part()
  }
  drawInPage(createElement(Root))
}

function changeLanguage(tag: 'en' | 'de') {
  act(() => {
    i18n.loadAndActivate({ locale: tag, messages: tag === 'de' ? messages : {} })
    useLanguage.setState({ tag })
  })
}

afterEach(() => changeLanguage('en'))

test('the outcome of a saved file is shown in the new language', async () => {
  history.export.mockResolvedValue(
    (async function* () {
      yield await Promise.resolve({ type: 'progress', read: 2, of: 2 })
      yield { type: 'text', text: 'a' }
      yield { type: 'ended', records: 2, unreadable: 0 }
    })(),
  )
  draw(() => createElement(ServiceScope, undefined, createElement(ExportButtons)))
  fireEvent.click(screen.getByRole('button', { name: 'Save as CSV' }))
  await settled()
  expect(screen.getByText('Saved 2 requests')).toBeDefined()
  changeLanguage('de')
  expect(screen.getByText('2 Anfragen gespeichert')).toBeDefined()
})

test('the fault of a field is shown in the new language, until the field changes', async () => {
  const onSave = vi.fn()
  draw(() =>
    createElement(KeyForm, {
      draft: { ...emptyDraft, expires: '2020-01-01T00:00' },
      otherNames: [],
      does: 'Create',
      doing: 'Creating…',
      onSave,
      onCancel: () => undefined,
    }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Create' }))
  await settled()
  expect(screen.getByText('Enter a name, such as what the key is for.')).toBeDefined()
  changeLanguage('de')
  const fault = 'Gib einen Namen ein, etwa den Zweck des Schlüssels.'
  expect(screen.getByText(fault)).toBeDefined()
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Editor' } })
  expect(screen.queryByText(fault)).toBeNull()
  expect(screen.getByText(/^Dieser Zeitpunkt liegt in der Vergangenheit/)).toBeDefined()
  expect(onSave).not.toHaveBeenCalled()
})

test('the offer to undo a deletion is shown in the new language', async () => {
  draw(() => createElement(UndoBar))
  await act(() => removeFolder({ id: 'f1', name: 'Taxes' }))
  expect(screen.getByText('Folder “Taxes” deleted. Its chats remain.')).toBeDefined()
  changeLanguage('de')
  expect(screen.getByText(/„Taxes“/)).toBeDefined()
})

test('the frame of a diagram is named in the new language', () => {
  const place = document.createElement('div')
  const left = new AbortController()
  void drawDiagram(place, 'graph TD', { dark: false, signal: left.signal })
  const frame = place.querySelector('iframe')
  expect(frame?.title).toBe('Diagram')
  changeLanguage('de')
  expect(frame?.title).toBe('Diagramm')
  left.abort()
  changeLanguage('en')
  expect(frame?.title).toBe('Diagramm')
})
