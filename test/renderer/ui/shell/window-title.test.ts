// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { viewsOf } from '../../../../src/renderer/ui/route.ts'
import { showWindowTitle, windowTitle } from '../../../../src/renderer/ui/shell/window-title.ts'

describe('the title of the window', () => {
  it('names each view', () => {
    const titles = viewsOf(false).map((view) => windowTitle({ view, name: undefined, isDesktop: false }))
    expect(titles).toEqual([
      'Chat · Sotto',
      'Projects · Sotto',
      'Studio · Sotto',
      'Data · Sotto',
      'Developer · Sotto',
      'Wallet · Sotto',
      'Privacy · Sotto',
      'Settings · Sotto',
    ])
  })

  it.each([
    ['chat', 'Lease', true, 'Lease · Sotto'],
    ['projects', 'The new house', true, 'The new house · Sotto'],
    ['chat', '', true, 'Chat · Sotto'],
    ['chat', 'Lease', false, 'Chat · Sotto'],
    ['projects', 'The new house', false, 'Projects · Sotto'],
  ] as const)('%s “%s”, in the desktop app: %s', (view, name, isDesktop, expected) =>
    expect(windowTitle({ view, name, isDesktop })).toBe(expected),
  )

  it('is only the product’s name once the view is gone', () => {
    const end = showWindowTitle('Lease · Sotto')
    expect(document.title).toBe('Lease · Sotto')
    end()
    expect(document.title).toBe('Sotto')
  })
})
