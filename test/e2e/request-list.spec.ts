import { request } from './mock-local-api.ts'
import { full, listOf } from './screens/local-api-screens.ts'
import { expect, test } from './window-test.ts'

test('older requests are loaded page by page, also after a new one arrived, and the reader stays in place', async ({
  window: { open, page, mock },
}) => {
  full(mock)
  await open('#/developer/requests')
  await expect(page.getByText('Updating live.')).toBeVisible()
  const list = listOf(page)
  // The page hears of the move in the frame after it.
  await list.evaluate(
    (element) =>
      new Promise((resolve) => {
        element.scrollTo({ top: 700 })
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  mock.state.localApi.tell({ requests: [request('n1', Date.now(), { model: 'private/brand-new' })] })
  await expect(page.getByRole('button', { name: '1 new request' })).toBeVisible()
  const height = () => list.evaluate((element) => element.scrollHeight)
  const before = await height()
  await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  const reached = await list.evaluate((element) => element.scrollTop)
  await expect.poll(height).toBeGreaterThan(before)
  // A list that took the older ones for newer ones would move down, and load all pages one after another.
  await expect(page.getByRole('button', { name: 'Load older requests' })).toBeAttached()
  expect(await list.evaluate((element) => element.scrollTop)).toBeLessThan(reached + 200)
})
