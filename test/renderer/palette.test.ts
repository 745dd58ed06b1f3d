// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { Palette } from '../../src/renderer/ui/shell/palette.tsx'
import { showPalette } from '../../src/renderer/ui/shell/palette-store.ts'
import { drawInPage } from './in-page.ts'

test.each([
  ['while composing', { key: 'Enter', isComposing: true }],
  // Safari ends the composition before this key.
  ['after the composition ended', { key: 'Enter', isComposing: false, keyCode: 229 }],
])('Enter of an input method %s runs no command, and the next one does', (_, press) => {
  const run = vi.fn()
  drawInPage(createElement(Palette, { commands: [{ id: 'one', title: '設定', run }], chats: () => [] }))
  act(showPalette)
  const field = screen.getByRole('combobox', { name: 'Search commands and chats' })
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, { target: { value: '設定' } })
  fireEvent.keyDown(field, press)
  expect(run).not.toHaveBeenCalled()
  expect(screen.getByRole('option', { name: '設定', selected: true }).isConnected).toBe(true)
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(run).toHaveBeenCalledOnce()
  expect(screen.queryByRole('dialog')).toBe(null)
})

test('chats are found by their titles once something is typed, after the commands', () => {
  const open = vi.fn()
  drawInPage(
    createElement(Palette, {
      commands: [{ id: 'one', title: 'Rename this chat', run: vi.fn() }],
      chats: () => [
        { id: 'chat/a', title: 'The chat about leases', run: open },
        { id: 'chat/b', title: 'Something else', run: vi.fn() },
      ],
    }),
  )
  act(showPalette)
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Rename this chat'])
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'chat' } })
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Rename this chat',
    'The chat about leasesChat',
  ])
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'leases' } })
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  expect(open).toHaveBeenCalledOnce()
})
