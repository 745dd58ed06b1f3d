import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'

const LEASE = '# Lease\n\nThe rent is 900 euros.\n\nThe notice period is three months.'

test('a file of a project is read in the page; its passages go with a question, and the reply’s marks open them', async ({
  window: { open, page, mock, composer },
}) => {
  const times = { createdAt: 0, updatedAt: 0 }
  mock.state.projects = [{ id: 'p1', name: 'House', instructions: '', privateOnly: true, ...times }]
  await open('#/projects/p1')
  await page
    .getByTestId('document-files')
    .setInputFiles({ name: 'lease.md', mimeType: 'text/markdown', buffer: Buffer.from(LEASE) })
  await expect(page.getByRole('list', { name: 'Files of this project' })).toContainText(
    'lease.mdMD · 3 passages',
  )
  await page.getByRole('button', { name: 'New chat in this project' }).click()
  await composer.fill('the deadline?')
  // Enter sends nothing before the passages are shown.
  await composer.press('Enter')
  await page.getByRole('button', { name: /^2 passages, about/ }).click()
  const list = page.getByRole('list', { name: 'Passages to send' })
  await list.getByRole('checkbox', { name: /900 euros/ }).uncheck()
  await composer.press('Enter')
  const answer = await mock.nextAnswer()
  expect(answer.input).toMatchObject({ text: 'the deadline?', passageIds: ['document-1/2'] })
  answer.delta('Three months [1], not four [2].')
  answer.end()
  await page.getByText('1 source in the project’s files').waitFor()
  await page.reload()
  await expect(page.getByText('1 passage sent')).toBeVisible()
  await page.getByRole('button', { name: 'Source 1' }).click()
  const panel = page.getByRole('region', { name: 'lease.md' })
  await expect(panel).toContainText('line 5The notice period is three months.')
  await expect(panel.getByRole('heading', { name: 'lease.md' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(page.getByRole('button', { name: 'Source 2' })).toBeHidden()

  // An edited question finds passages for its new text.
  await page.getByRole('button', { name: 'Edit message' }).click()
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await editor.fill('the rent?')
  const edited = page.getByRole('region', { name: 'Messages' })
  await expect(edited.getByRole('button', { name: /^\d passages?, about/ })).toBeVisible()
  await editor.press('Enter')
  const again = await mock.nextAnswer()
  expect(again.input).toMatchObject({
    text: 'the rent?',
    passageIds: expect.arrayContaining(['document-1/1']),
  })
  again.end()
})

test('the reason why projects can’t be loaded is shown, and they load when the person tries again', async ({
  window: { open, page },
  mock,
}) => {
  mock.state.failures['projects.list'] = failure('store/damaged')
  await open('#/projects')
  const main = page.getByRole('main')
  await expect(main.getByRole('alert')).toContainText('store/damaged')
  await expect(main.getByText('No projects yet')).toBeHidden()
  delete mock.state.failures['projects.list']
  await main.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(main.getByText('No projects yet')).toBeVisible()
})
