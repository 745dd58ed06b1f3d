// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import { drawInPage, settled } from './in-page.ts'

/** The receipts that were fetched. */
const fetched: string[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  endInPassing: () => undefined,
  api: {
    receipts: {
      get: ({ receiptId }: { receiptId: string }) => {
        fetched.push(receiptId)
        return Promise.resolve({ id: receiptId, cost: '1000000000000' })
      },
    },
  },
}))
vi.stubGlobal('matchMedia', () => ({
  matches: true,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}))

const { SideBySide } = await import('../../src/renderer/features/chat/side-by-side.tsx')

test('what all answers cost together is known also where one of them is in view', async () => {
  const question: Message = {
    id: 'q',
    conversationId: 'c',
    role: 'user',
    text: 'why?',
    parentId: null,
    state: 'complete',
    createdAt: 0,
  }
  const answer = (id: string): Message => ({
    ...question,
    id,
    role: 'assistant',
    parentId: 'q',
    receiptId: `receipt-${id}`,
  })
  drawInPage(
    createElement(SideBySide, {
      conversationId: 'c',
      questionId: 'q',
      messages: [question, answer('a'), answer('b')],
    }),
  )
  await settled()
  expect(fetched).toEqual(['receipt-a', 'receipt-b'])
  expect([screen.getAllByRole('tab').length, screen.getAllByRole('tabpanel').length]).toEqual([2, 1])
  expect(screen.getByText('Total $2.00')).toBeDefined()
})
