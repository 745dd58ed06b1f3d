import { failure } from './mock-door.ts'
import { expect, test } from './window-test.ts'

test('what was written before the kept draft came stands behind it, and where drafts are not kept, it says so', async ({
  window: { open, page, door, composer },
}) => {
  door.state.attachments.drafts = [{ conversationId: 'new', text: 'kept before', attachments: [] }]
  await open()
  await expect(composer).toHaveValue('kept before')
  door.state.failures['drafts.save'] = failure('store/unwritable')
  await composer.fill('kept before, and more')
  await expect(page.getByText('This draft isn’t saved')).toBeVisible()
  door.state.failures = {}
  await composer.fill('kept before, and more of it')
  await expect(page.getByText('This draft isn’t saved')).toHaveCount(0)
  await expect
    .poll(() => door.state.attachments.drafts)
    .toEqual([{ conversationId: 'new', text: 'kept before, and more of it', attachments: [] }])
})
