import { axeFaults } from './axe.ts'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'

test('every host that Sotto connects to is listed with its purpose', async ({ window: { open, page } }) => {
  await open('#/settings')
  const section = page.getByRole('region', { name: 'Network connections' })
  await expect(section).toContainText('relay.wallet.example')
  await expect(section).toContainText('A relay for your wallet connection')
  await expect(section).toContainText('It runs on this computer, so nothing leaves it.')
  expect(await axeFaults(page)).toEqual([])
})

test('a list that failed to load can be loaded again', async ({ window: { open, page, mock } }) => {
  mock.state.failures['diagnostics.contacts'] = failure('proxy/internal')
  await open('#/settings')
  const section = page.getByRole('region', { name: 'Network connections' })
  await expect(section.getByRole('alert')).toBeVisible()
  delete mock.state.failures['diagnostics.contacts']
  await section.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(section).toContainText('relay.wallet.example')
})

test('the log can be shown, filtered and copied for a report by keyboard only', async ({
  window: { open, page },
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await open('#/settings')
  const section = page.getByRole('region', { name: 'Log', exact: true })
  await section.getByRole('button', { name: 'Show log' }).press('Enter')
  const lines = section.getByRole('region', { name: 'Log entries, newest first' }).getByRole('listitem')
  await expect(lines).toHaveCount(4)
  await expect(lines.first()).toContainText('request/ended')
  expect(await axeFaults(page)).toEqual([])

  await section.getByRole('combobox', { name: 'Level' }).selectOption('warn')
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText('code=auth/invalid-api-key')
  await section.getByRole('combobox', { name: 'Level' }).selectOption('error')
  await expect(section).toContainText('No matching entries since Sotto started')

  await section.getByRole('button', { name: 'Copy report' }).press('Enter')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Sotto 0.1.0\n')
})
