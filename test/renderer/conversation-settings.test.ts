// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawInPage, settled } from './in-page.ts'

/** The parameters of the last save. */
let savedParameters: unknown

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    conversations: {
      configure: ({ parameters }: { parameters: unknown }) => {
        savedParameters = parameters
        return Promise.reject(new Error('gone'))
      },
    },
  },
}))

const { SettingsDialog } = await import('../../src/renderer/features/chat/conversation-settings.tsx')

test.each([
  ['4096', 4096],
  ['4,096', undefined],
  ['4,000', undefined],
  ['4.000', undefined],
])('of %j tokens an answer has at most %j', async (written, most) => {
  savedParameters = undefined
  drawInPage(
    createElement(SettingsDialog, {
      conversation: { id: 'c', title: '', private: false, model: 'open/a', createdAt: 0, updatedAt: 0 },
      close: () => undefined,
    }),
  )
  const field = screen.getByRole('textbox', { name: 'Maximum reply tokens' })
  fireEvent.change(field, { target: { value: written } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await settled()
  expect(savedParameters).toEqual(most === undefined ? undefined : { maxTokens: most })
  expect(screen.queryByText('Enter a whole number of 1 or more.') !== null).toBe(most === undefined)
})
