import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { tabTo } from './by-keyboard.ts'
import { teamFailure } from './mock-team.ts'
import { teamKey, teamMember } from './mock-team-data.ts'
import { actOn, row } from './screens/team-screens.ts'
import { teamTest as test } from './team-test.ts'

/** While a question is open, the page behind it is hidden from assistive technology and from these tests. */
const expectConfirmed = (page: Page) => expect(page.getByRole('alertdialog')).toHaveCount(0)

test('a page without a session asks for a sign-in, shows why one failed, and opens after the next', async ({
  team: { page, mock, open },
}) => {
  mock.state.signsIn = undefined
  await open()
  await expect(page.getByRole('heading', { name: 'Sign in to Sotto' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign in' }).press('Enter')
  await expect(page.getByRole('alert')).toContainText('Something unexpected went wrong in Sotto.')
  mock.state.signsIn = 'ada'
  await page.getByRole('button', { name: 'Sign in' }).press('Enter')
  await expect(row(page, 'Ada Keller')).toBeVisible()
  await expect(page).toHaveTitle('Members · Sotto')
})

test('an address names its sign-in failure only by a known code', async ({ team: { page, mock } }) => {
  await page.goto(`${mock.origin}/?failed=${encodeURIComponent('Call this number')}`)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByText('Call this number')).toHaveCount(0)
})

test('signing out ends the session, and a session that ended elsewhere leads to the sign-in', async ({
  team: { page, mock, open },
}) => {
  await open('#/keys')
  await page.getByRole('button', { name: 'Account of Ada Keller' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
  await expect(page.getByText('You signed out.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Sign in with your team’s account')).toBeVisible()
  await open('#/keys')
  await expect(row(page, 'Notebook')).toBeVisible()
  mock.endSessions()
  await page.getByRole('link', { name: 'Groups' }).press('Enter')
  await expect(page.getByText('Your session ended.')).toBeVisible()
  await expect(row(page, 'Notebook')).toHaveCount(0)
})

test('a person adds a member, creates a key for them, revokes it and exports the activity by keyboard only', async ({
  team: { page, mock, open },
}) => {
  await open('#/members')
  await expect(row(page, 'Ada Keller')).toBeVisible()
  await tabTo(page, /^Add member$/)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Email address')).toBeFocused()
  await page.keyboard.type('zoe@example.com')
  await tabTo(page, /^No group/)
  await page.keyboard.type('Research')
  await tabTo(page, /^Budget$/)
  await page.keyboard.press('Space')
  await tabTo(page, /^US dollars$/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('7.50')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row(page, 'zoe@example.com')).toContainText('of $7.50 per month')
  await expect(row(page, 'zoe@example.com')).toContainText('Research')
  await expect(page.getByRole('button', { name: 'Add member' })).toBeFocused()

  await page.getByRole('link', { name: 'Keys' }).press('Enter')
  await expect(row(page, 'Notebook')).toBeVisible()
  await tabTo(page, /^Create key$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Owner').focus()
  await page.keyboard.type('zoe')
  await tabTo(page, /^Name$/)
  await page.keyboard.type('Editor')
  await page.keyboard.press('Enter')
  const secret = page.getByTestId('new-secret')
  await expect(secret).toHaveText(/^sotto-key-/)
  const text = await secret.innerText()
  await expect(page.getByRole('button', { name: 'I’ve saved it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.content()).not.toContain(text)
  await expect(row(page, 'Editor')).toContainText('zoe@example.com')
  await expect(page.getByRole('main')).toBeFocused()

  await actOn(page, 'Editor', 'Revoke')
  await expect(page.getByRole('alertdialog')).toContainText('stop working within a second')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await tabTo(page, /^Revoke$/)
  await page.keyboard.press('Enter')
  await expectConfirmed(page)
  await expect(row(page, 'Editor')).toHaveCount(0)
  expect(mock.state.keys.find(({ name }) => name === 'Editor')?.state).toBe('revoked')

  await page.getByRole('link', { name: 'Activity' }).press('Enter')
  await expect(page.getByRole('list', { name: 'Request list' })).toBeVisible()
  await tabTo(page, /^Export as CSV$/)
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^sotto-team-activity-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^time,member,key,model\r\n/)
  await expect(page.getByText('Saved all filtered requests.').first()).toBeVisible()
})

test('the removal of a member shows what it ends, and the last admin’s is refused with a reason', async ({
  team: { page, mock, open },
}) => {
  await open('#/members')
  await actOn(page, 'Mia Sørensen', 'Remove')
  await expect(page.getByRole('alertdialog')).toContainText('Their sessions end, and 1 key is revoked.')
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await expectConfirmed(page)
  await expect(row(page, 'Mia Sørensen')).toHaveCount(0)
  expect(mock.state.keys.find(({ id }) => id === 'k-mia')?.state).toBe('revoked')
  await actOn(page, 'Ada Keller', 'Remove')
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText('A team needs an admin.')
  await page.keyboard.press('Escape')
  await expect(row(page, 'Ada Keller')).toBeVisible()
})

test('a group is added with self-service, changed, and removed only without members', async ({
  team: { page, mock, open },
}) => {
  await open('#/groups')
  await page.getByRole('button', { name: 'Add group' }).press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('Design')
  await page.getByLabel('Members create their own keys').check()
  await page.getByLabel('Keys per member').fill('0')
  await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).press('Enter')
  await expect(page.getByLabel('Keys per member')).toBeFocused()
  await expect(page.getByText('Enter a whole number from 1 to 100.')).toBeVisible()
  await page.getByLabel('Keys per member').fill('3')
  await page.getByLabel('Who may read requests').selectOption('Only the enclave (private models)')
  await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).press('Enter')
  await expect(row(page, 'Design')).toContainText('Up to 3 keys per member')
  await expect(row(page, 'Design')).toContainText('Private models only.')
  expect(mock.state.groups.find(({ name }) => name === 'Design')?.selfService).toEqual({
    keysPerMember: 3,
    limits: { atLeast: 'sealed' },
  })
  await actOn(page, 'Research', 'Remove')
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await expect(page.getByRole('alert')).toContainText('This group still has members.')
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await actOn(page, 'Support', 'Remove')
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await expectConfirmed(page)
  await expect(row(page, 'Support')).toHaveCount(0)
})

test('an auditor sees everything and no button that changes anything', async ({
  team: { page, mock, open },
}) => {
  mock.state.signsIn = 'ben'
  await open('#/members')
  for (const [view, name] of [
    ['Members', 'Mia Sørensen'],
    ['Groups', 'Research'],
    ['Keys', 'Notebook'],
  ] as const) {
    await page.getByRole('link', { name: view }).press('Enter')
    await expect(row(page, name)).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Add|Create|Actions)/ })).toHaveCount(0)
  }
})

test('a member sees only their keys and activity, and before they type what self-service allows', async ({
  team: { page, mock, open },
}) => {
  mock.state.signsIn = 'mia'
  await open('#/members')
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Keys', 'Activity'])
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keys')
  await expect(page.getByText('You can create 1 more key.')).toBeVisible()
  await expect(page.getByText(/\$10(\.00)? per month, private models only/)).toBeVisible()
  await page.getByRole('button', { name: 'Create key' }).press('Enter')
  await expect(page.getByLabel('US dollars')).toHaveValue('10')
  await page.getByLabel('Name').fill('Phone')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).press('Enter')
  await page.getByRole('button', { name: 'I’ve saved it' }).press('Enter')
  await expect(page.getByText('You can have 2 keys.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create key' })).toHaveCount(0)
  await expect(row(page, 'Terminal')).toHaveCount(0)
  await page.getByRole('link', { name: 'Activity' }).press('Enter')
  await expect(page.getByTestId('own-sum')).toContainText('4 requests')
  expect(mock.calls.some(({ path }) => path.startsWith('members.') || path.startsWith('groups.'))).toBe(false)
})

test('the activity is filtered by member and key, and older requests are added', async ({
  team: { page, mock, open },
}) => {
  mock.state.page = 5
  await open('#/activity')
  const lines = page.getByRole('list', { name: 'Request list' }).getByRole('listitem')
  await expect(lines).toHaveCount(5)
  await page.getByRole('button', { name: 'Load older requests' }).press('Enter')
  await expect(lines).toHaveCount(10)
  await page.getByLabel('Member', { exact: true }).selectOption('Mia Sørensen (mia@example.com)')
  await expect(lines).toHaveCount(4)
  await page.getByLabel('Key', { exact: true }).selectOption('Old laptop (revoked)')
  await expect(page.getByText('No matching requests')).toBeVisible()
})

test('hostile names are shown as text', async ({ team: { page, mock, open } }) => {
  const markup = '<img src=x onerror=alert(1)>'
  mock.state.members.push(
    teamMember('evil', { name: `\u202E${markup}\u2066`, keys: 0, lastSignInAt: 0 }),
    teamMember('long', { name: 'M'.repeat(200) }),
  )
  mock.state.keys.push(teamKey('k-evil', '<b>bold</b>', 'evil'))
  await page.setViewportSize({ width: 480, height: 800 })
  await open('#/members')
  await expect(row(page, markup)).toBeVisible()
  await actOn(page, markup, 'Remove')
  await expect(page.getByRole('heading', { name: `Remove ${markup}?` })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Keys' }).press('Enter')
  await expect(row(page, '<b>bold</b>')).toContainText(markup)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(480)
})

test('a call that fails shows what happened, and tries again', async ({ team: { page, mock, open } }) => {
  mock.state.failures['members.list'] = teamFailure('database/unreachable', 'The database can’t be reached.')
  await open('#/members')
  await expect(page.getByRole('alert')).toContainText('The database can’t be reached.')
  mock.state.failures = { 'members.add': teamFailure('team/forbidden', 'Your role doesn’t allow this.') }
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await page.getByRole('button', { name: 'Add member' }).press('Enter')
  await page.getByLabel('Email address').fill('zoe@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Add member' }).press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Your role doesn’t allow this.')
  await expect(page.getByLabel('Email address')).toHaveValue('zoe@example.com')
})

test('an owner isn’t called removed while the members can’t be loaded, and the failure is shown', async ({
  team: { page, mock, open },
}) => {
  mock.state.failures['members.list'] = teamFailure('database/unreachable', 'The database doesn’t answer.')
  for (const place of ['#/keys', '#/activity']) {
    await open(place)
    await expect(page.getByRole('alert')).toContainText('The database doesn’t answer.')
    await expect(page.getByText('Removed member')).toHaveCount(0)
  }
  mock.state.failures = {}
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(
    page
      .locator('bdi')
      .filter({ hasText: /@example\.com\)/ })
      .first(),
  ).toBeVisible()
})

test('an edit sends only what was changed, so that another admin’s change remains', async ({
  team: { page, mock, open },
}) => {
  await open('#/members')
  await actOn(page, 'Mia Sørensen', 'Edit')
  mock.state.members = mock.state.members.map((member) =>
    member.id === 'mia' ? { ...member, role: 'auditor' } : member,
  )
  await page.getByLabel('Group').selectOption({ label: 'No group' })
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(mock.state.members.find(({ id }) => id === 'mia')).toMatchObject({ role: 'auditor', groupId: null })
})
