import { choicesWithoutService, directStatus } from './mock-direct.ts'
import { sandboxStatus } from './mock-data.ts'
import { verified } from './screens/privacy-screens.ts'
import { expect, test } from './window-test.ts'

test('the window offers only what a provider without a service has', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = directStatus()
  await open('#/wallet')
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(views.getByRole('link')).toHaveCount(5)
  for (const gone of ['Studio', 'Data', 'Keys', 'History'])
    await expect(views.getByRole('link', { name: gone, exact: true })).toHaveCount(0)
  const main = page.getByRole('main')
  await expect(main).toContainText('Your API keys for this provider')
  for (const gone of ['Add funds', 'Activity', 'Payment methods', 'Pay per request', 'New account…'])
    await expect(main.getByText(gone, { exact: true })).toHaveCount(0)
  expect(
    mock.calls.filter(({ path }) =>
      /^(accounts\.balance|topups|wallet|purchases|history|serviceKeys)/.test(path),
    ),
  ).toEqual([])
})

test('a view of a service is not offered by its address either', async ({ window: { open, page, mock } }) => {
  mock.state.status = directStatus()
  await open('#/studio')
  await expect(page.getByRole('main')).toContainText('This provider only offers private chat.')
  await page.evaluate("location.hash = '#/history'")
  await expect(page.getByRole('main')).toContainText('Your API keys for this provider')
  expect(mock.calls.filter(({ path }) => path.startsWith('history'))).toEqual([])
})

test('a key is connected without a credit ID, and nothing claims that it was checked', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = directStatus()
  await open('#/wallet')
  await page.getByRole('button', { name: 'Connect key…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Sotto can’t check the key now.')
  await expect(dialog.getByLabel('Credit ID (optional)')).toHaveCount(0)
  await expect(dialog.getByLabel('API key')).toBeVisible()
})

test('the chat has no speech or web search', async ({ window: { open, page, mock } }) => {
  mock.state.status = directStatus()
  await open()
  await page.getByRole('button', { name: 'Add to message' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Attach files…',
    'Use tools…',
    'Insert prompt…',
    'Change chat settings…',
  ])
  await expect(page.getByRole('button', { name: 'Dictate' })).toHaveCount(0)
})

test('the Privacy screen states the limits of a connection without a service', async ({
  window: { open, page, mock },
}) => {
  verified(mock)
  mock.state.status = directStatus()
  await open('#/privacy')
  const limits = page.getByRole('region', { name: 'Limits of this proof' })
  await expect(limits).toContainText('It doesn’t compare the connection’s key')
  await expect(limits).not.toContainText('The service')
  const enclaves = page.getByRole('region', { name: 'Model enclaves' })
  await expect(enclaves).toHaveCount(0)
})

test('a first start asks for the provider’s key, and creates accounts only where a service does', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = { ...sandboxStatus(), firstStart: true }
  mock.state.choices = choicesWithoutService()
  await open()
  await page.getByRole('button', { name: 'I have an API key' }).click()
  await expect(page.getByLabel('Credit ID (optional)')).toBeVisible()
  await page.getByLabel('Service').selectOption('direct')
  await expect(page.getByLabel('Credit ID (optional)')).toHaveCount(0)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByLabel('Service').locator('option')).toHaveText(['The service'])
})
