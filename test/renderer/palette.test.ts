// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { Palette } from '../../src/renderer/ui/shell/palette.tsx'
import { openPalette } from '../../src/renderer/ui/shell/palette-store.ts'
import { drawInPage } from './in-page.ts'

test('Enter that ends what is being composed runs no command, and the next one does', () => {
  const run = vi.fn()
  drawInPage(createElement(Palette, { commands: [{ id: 'one', title: '設定', run }] }))
  act(openPalette)
  const field = screen.getByRole('combobox', { name: 'Search commands' })
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, { target: { value: '設定' } })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(run).not.toHaveBeenCalled()
  expect(screen.getByRole('option', { name: '設定', selected: true }).isConnected).toBe(true)
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(run).toHaveBeenCalledOnce()
  expect(screen.queryByRole('dialog')).toBe(null)
})
