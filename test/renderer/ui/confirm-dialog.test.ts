// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement, type ComponentProps } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ConfirmDialog } from '../../../src/renderer/ui/confirm-dialog.tsx'
import { WindowError } from '../../../src/renderer/ui/failure.ts'
import { drawInPage, settled } from '../in-page.ts'

const { act, onClose } = vi.hoisted(() => ({ act: vi.fn<() => Promise<void>>(), onClose: vi.fn() }))
beforeEach(() => {
  vi.resetAllMocks()
})

const button = (name: string) => screen.getByRole('button', { name })

function draw(more: Partial<ComponentProps<typeof ConfirmDialog>> = {}) {
  return drawInPage(
    createElement(ConfirmDialog, {
      title: 'Remove Ann?',
      description: 'This can’t be undone.',
      kind: 'danger',
      button: 'Remove',
      busy: 'Removing…',
      act,
      onClose,
      ...more,
    }),
  )
}

test('Cancel has the focus, and closes without the action', () => {
  draw()
  expect(
    screen.getByRole('alertdialog', { name: 'Remove Ann?', description: 'This can’t be undone.' }),
  ).toBeTruthy()
  expect(document.activeElement).toBe(button('Cancel'))
  fireEvent.click(button('Cancel'))
  expect([onClose.mock.calls.length, act.mock.calls.length]).toEqual([1, 0])
})

test('a button keeps the focus while its action runs once, and then the dialog closes', async () => {
  const done = Promise.withResolvers<undefined>()
  act.mockReturnValue(done.promise)
  draw({ alternative: { kind: 'primary', button: 'Keep', busy: 'Keeping…', act: vi.fn() } })
  button('Remove').focus()
  fireEvent.click(button('Remove'))
  expect(document.activeElement).toBe(button('Removing…'))
  fireEvent.click(button('Removing…'))
  // The other action can't run at the same time.
  expect(button('Keep').getAttribute('aria-disabled')).toBe('true')
  expect([onClose.mock.calls.length, act.mock.calls.length]).toEqual([0, 1])
  done.resolve(undefined)
  await settled()
  expect(onClose).toHaveBeenCalledOnce()
})

test('an alternative comes before the main action, and runs its own action', async () => {
  const keep = vi.fn<() => Promise<void>>().mockResolvedValue()
  draw({ alternative: { kind: 'primary', button: 'Keep', busy: 'Keeping…', act: keep } })
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    '',
    'Cancel',
    'Keep',
    'Remove',
  ])
  fireEvent.click(button('Keep'))
  await settled()
  expect([keep.mock.calls.length, act.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0, 1])
})

test('an error of the action is shown, and the dialog stays open', async () => {
  act.mockRejectedValue(new WindowError('attachment/folder'))
  draw()
  fireEvent.click(button('Remove'))
  await settled()
  expect(screen.getByRole('alert').textContent).toContain('attachment/folder')
  expect([button('Remove').getAttribute('aria-disabled'), onClose.mock.calls.length]).toEqual([null, 0])
})

test('an action that ends after the dialog closed doesn’t close another one', async () => {
  const done = Promise.withResolvers<undefined>()
  act.mockReturnValue(done.promise)
  const { unmount } = draw()
  fireEvent.click(button('Remove'))
  unmount()
  done.resolve(undefined)
  await settled()
  expect(onClose).not.toHaveBeenCalled()
})
