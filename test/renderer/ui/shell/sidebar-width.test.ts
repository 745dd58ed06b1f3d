// @vitest-environment happy-dom
import { createElement } from 'react'
import { fireEvent } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { PREFERENCES_KEY, setPreferences, usePreferences } from '../../../../src/renderer/ui/preferences.ts'
import { SidebarPane } from '../../../../src/renderer/ui/shell/sidebar-pane.tsx'
import { widthAfterDrag, widthAfterKey } from '../../../../src/renderer/ui/shell/sidebar-width.ts'
import { drawInPage } from '../../in-page.ts'

const savedWidth = () =>
  (JSON.parse(localStorage.getItem(PREFERENCES_KEY) ?? '{}') as { sidebarWidth?: number }).sidebarWidth

beforeEach(() => setPreferences({ sidebarWidth: 264 }))

describe('the width of the sidebar', () => {
  it.each([
    [264, 40, 304],
    [264, -300, 220],
    [264, 300, 360],
    [264, 0.4, 264],
  ])('%i, dragged by %d pixels, is %i', (start, by, expected) =>
    expect(widthAfterDrag(start, by)).toBe(expected),
  )

  it.each([
    ['ArrowRight', false, 280],
    ['ArrowLeft', false, 248],
    ['ArrowRight', true, 248],
    ['ArrowLeft', true, 280],
    ['Home', false, 220],
    ['End', true, 360],
    ['Enter', false, undefined],
  ])('after %s, mirrored: %s, is %s', (key, isMirrored, expected) =>
    expect(widthAfterKey(264, key, isMirrored)).toBe(expected),
  )

  it('is changed and saved by the keys of its edge, and reset by a double click', () => {
    const page = drawInPage(createElement(SidebarPane, { children: 'chats' }))
    const edge = page.getByRole('separator', { name: 'Sidebar width' })
    fireEvent.keyDown(edge, { key: 'End' })
    expect(edge.getAttribute('aria-valuenow')).toBe('360')
    expect(savedWidth()).toBe(360)
    fireEvent.doubleClick(edge)
    expect(edge.getAttribute('aria-valuenow')).toBe('264')
    expect(savedWidth()).toBe(264)
  })

  it('follows the pointer, and is saved when the drag ends', () => {
    const page = drawInPage(createElement(SidebarPane, { children: 'chats' }))
    const edge = page.getByRole('separator', { name: 'Sidebar width' })
    fireEvent.pointerMove(edge, { clientX: 300 })
    expect(usePreferences.getState().sidebarWidth).toBe(264)
    fireEvent.pointerDown(edge, { clientX: 264, button: 0, pointerId: 1 })
    fireEvent.pointerMove(edge, { clientX: 300, pointerId: 1 })
    expect(usePreferences.getState().sidebarWidth).toBe(300)
    expect(savedWidth()).toBe(264)
    fireEvent.lostPointerCapture(edge, { pointerId: 1 })
    expect(savedWidth()).toBe(300)
  })
})
