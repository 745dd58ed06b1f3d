import { conversation } from './mock-data.ts'
import { job } from './mock-studio.ts'
import { expect, test } from './window-test.ts'

test('waiting for an image that was sent can end, and the window states that it may still be charged', async ({
  window: { open, page, messages, mock },
}) => {
  const now = Date.now()
  const { conversation: chat, messages: texts } = conversation('c1', 'Sea', now, [
    ['A quiet room by the sea', ''],
  ])
  mock.state.conversations = [
    {
      conversation: chat,
      messages: texts.map((message) => ({ ...message, jobId: 'j1', model: 'sandbox/painter' })),
    },
  ]
  mock.state.studio.jobs = [job('j1', { state: 'sending', sentAt: now })]
  await open('#/chat/c1')
  await expect(messages.getByRole('progressbar', { name: 'Sent to service' })).toBeVisible()
  await expect(messages.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  await messages.getByRole('button', { name: 'Stop waiting' }).click()
  await expect(messages.getByRole('progressbar')).toHaveCount(0)
  await expect(messages.getByRole('status')).toHaveText(
    'You stopped waiting. The service may still finish this image and charge for it. It then appears here and in Studio.',
  )
  await messages.getByRole('link', { name: 'Studio' }).click()
  await expect(page.getByRole('heading', { name: 'Studio', level: 1 })).toBeVisible()
  expect(mock.state.studio.jobs.map(({ state }) => state)).toEqual(['sending'])
})
