import { axeFaults } from './axe.ts'
import { ready, row } from './screens/key-screens.ts'
import { expect, test } from './window-test.ts'

test('an address of an earlier version opens the list, and gives way to the present one', async ({
  window: { open, page, mock },
}) => {
  ready(mock)
  await open('#/keys/revoked')
  await expect(row(page, 'Old laptop')).toContainText('Revoked')
  await expect(page.getByLabel('Show revoked')).toBeChecked()
  await expect(page).toHaveURL(/#\/developer\/keys$/)
  await page.evaluate("location.hash = '#/local-api/requests'")
  await expect(page.getByRole('tab', { name: 'Requests' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(/#\/developer\/requests$/)
})

test('local keys and API keys are in one list, which shows where each works, and is filtered by that', async ({
  window: { open, page, mock },
}) => {
  ready(mock)
  await open('#/developer/keys')
  await expect(row(page, 'First key')).toContainText('This computer')
  await expect(row(page, 'Build server')).toContainText('Service')
  const filter = page.getByRole('group', { name: 'Works at' })
  await filter.getByLabel('Service').check()
  await expect(row(page, 'First key')).toHaveCount(0)
  await expect(row(page, 'Build server')).toBeVisible()
  await filter.getByLabel('This computer').check()
  await expect(row(page, 'First key')).toBeVisible()
  await expect(row(page, 'Build server')).toHaveCount(0)
  // The dialog begins with the kind of key that is listed.
  await filter.getByLabel('Service').check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await expect(form.getByLabel('Service')).toBeChecked()
  await expect(form).toContainText('0 of 25 characters')
  await form.getByLabel('This computer').check()
  await expect(form.getByLabel('Who may read requests')).toBeVisible()
  await page.goBack()
  await expect(form).toHaveCount(0)
  expect(await axeFaults(page, 'main')).toEqual([])
})
