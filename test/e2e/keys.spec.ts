import type { Page } from '@playwright/test'
import { serviceStatus, usd } from './mock-data.ts'
import { failure, type MockServer } from './mock-server.ts'
import { secretOf, serviceKey } from './mock-service-keys.ts'
import { wholePage } from './whole-page.ts'
import { actOn, ready, row } from './screens/key-screens.ts'
import { expect, test } from './window-test.ts'

const PLACE = '#/developer/keys'
const CODE = '141421'

async function confirm(page: Page): Promise<void> {
  await page.getByLabel('Code from your terminal').fill(CODE)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

const callsOf = (mock: MockServer, path: string) => mock.calls.filter((call) => call.path === path)

test.describe('the list of API keys', () => {
  test('shows the cap, the spending, the reset and the expiration of each key, and which one Sotto uses', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    await open(PLACE)
    for (const part of [
      'Used by Sotto',
      'No cap. It can spend the account’s entire balance.',
      '$7.3183 spent in total',
    ])
      await expect(row(page, 'Default')).toContainText(part)
    for (const part of [
      '$1.9274 of $5.00 per week, 38.5%',
      /Resets in (3 d|2 d 23 h)/,
      '$31.02 spent in total',
      /\d+(\.\d)?% of the listed keys’ spending/,
      'expires',
    ])
      await expect(row(page, 'Build server')).toContainText(part)
    await expect(row(page, 'Build server')).not.toContainText('Used by Sotto')
    for (const part of ['Expired', '$2.00 of $2.00 total, 100%', 'used up', 'expired'])
      await expect(row(page, 'Notebook')).toContainText(part)
    for (const part of ['Spending cap not reported.', 'Total spending not reported.'])
      await expect(row(page, 'Said little of')).toContainText(part)
    await expect(row(page, 'Old laptop')).toHaveCount(0)
    expect(await wholePage(page)).not.toContain('sk-secret')
  })

  test('shows revoked keys on request, and how many are unreadable', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.serviceKeys.unreadable = 2
    await open(PLACE)
    await expect(page.getByRole('main')).toContainText(
      '2 more keys aren’t shown because Sotto doesn’t recognize their format',
    )
    await page.getByLabel('Show revoked').check()
    await expect(row(page, 'Old laptop')).toContainText('Revoked')
    await expect(row(page, 'Old laptop').getByRole('button')).toHaveCount(0)
    await page.getByLabel('Show revoked').uncheck()
    await expect(row(page, 'Old laptop')).toHaveCount(0)
    expect(
      callsOf(mock, 'serviceKeys.list')
        .slice(-2)
        .map(({ input }) => input),
    ).toEqual([{ includeRevoked: true }, { includeRevoked: false }])
  })

  test('shows that it’s loading, a failure, and that it’s empty', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    let answer = (): void => undefined
    mock.state.serviceKeys.before = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await open(PLACE)
    await expect(page.getByRole('status').getByText('Loading keys…')).toBeVisible()
    await expect.poll(() => callsOf(mock, 'serviceKeys.list').length).toBeGreaterThan(0)
    mock.state.serviceKeys.before = () => Promise.resolve()
    mock.state.failures['serviceKeys.list'] = failure('service/unreachable')
    answer()
    await expect(row(page, 'Default')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('The service can’t be reached.')
    delete mock.state.failures['serviceKeys.list']
    mock.state.serviceKeys.list = []
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('main')).toContainText('The service lists no keys for this account.')
  })

  test('without a credit ID or an account, shows what is missing and where to add it, and sends no request', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = { ...serviceStatus(), account: { connected: true } }
    await open(PLACE)
    await expect(page.getByRole('main')).toContainText(
      'To manage keys, the service needs the account’s credit ID',
    )
    await expect(page.getByRole('main').getByRole('link', { name: 'Wallet' })).toHaveAttribute(
      'href',
      '#/wallet/accounts',
    )
    mock.state.status = { ...serviceStatus(), account: { connected: false } }
    await expect(page.getByRole('main')).toContainText('No account is active')
    // A new key is a local one.
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await expect(form.getByLabel('Who may read requests')).toBeVisible()
    await expect(form.getByLabel('Service')).toHaveCount(0)
    expect(callsOf(mock, 'serviceKeys.list')).toEqual([])
  })
})

test.describe('a new key', () => {
  test('has its name validated as it’s typed, and the rest when it’s submitted', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    await open(PLACE)
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Service').check()
    await expect(form).toContainText('0 of 25 characters')
    await form.getByLabel('Name').fill('A name of twenty-six chars')
    await expect(form).toContainText('Names can have up to 25 characters. Remove 1 character.')
    await form.getByLabel('Name').fill('Build server')
    await expect(form).toContainText('Another key already has this name.')
    await form.getByLabel('Name').fill('Turned \u202e around')
    await expect(form).toContainText('Use visible characters only.')
    // A revoked one left its name free.
    await form.getByLabel('Name').fill('Old laptop')
    await expect(form).not.toContainText('Another key already has this name.')
    await form.getByLabel('Name').fill('')
    await form.getByLabel('US dollars').fill('0.009')
    await form.getByLabel('Expires').fill('2020-01-01T00:00')
    await form.getByRole('button', { name: 'Create key' }).click()
    for (const fault of [
      'Enter a name',
      '0.01 or more, such as 5.00',
      'This time has passed. Choose a later one.',
    ])
      await expect(form).toContainText(fault)
    await expect(form.getByLabel('Name')).toBeFocused()
    await form.getByLabel('Spending cap').uncheck()
    await expect(form.getByLabel('US dollars')).toBeDisabled()
    await expect(form.getByLabel('Resets')).toBeDisabled()
    await expect(form).toContainText('Requires a spending cap.')
    expect(callsOf(mock, 'serviceKeys.create')).toEqual([])
  })

  test('is created with its terms, shown in full once, and nowhere in the page afterward', async ({
    window: { open, page, mock },
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    ready(mock)
    await open(PLACE)
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Service').check()
    await form.getByLabel('Name').fill('Phone')
    await form.getByLabel('US dollars').fill('2.50')
    await form.getByLabel('Resets').selectOption('weekly')
    await form.getByLabel('Expires').fill('2099-12-24T18:00')
    await form.getByRole('button', { name: 'Create key' }).click()
    const createdDialog = page.getByRole('dialog', { name: 'API key: Phone' })
    const secret = await createdDialog.getByTestId('secret').innerText()
    expect(secret).toBe(secretOf('made1'))
    await createdDialog.getByRole('button', { name: 'Copy API key' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    // A stray key doesn't close it.
    await page.keyboard.press('Escape')
    await expect(createdDialog.getByRole('alert')).toContainText('Close only if you have it')
    await createdDialog.getByRole('button', { name: 'I’ve copied it' }).click()
    await expect(row(page, 'Phone')).toContainText('$0.00 of $2.50 per week')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/#\/developer\/keys$/)
    expect(await wholePage(page)).not.toContain(secret)
    expect(callsOf(mock, 'serviceKeys.create').map(({ input }) => input)).toEqual([
      { name: 'Phone', cap: '2.5', resetPeriod: 'weekly', expiresAt: new Date('2099-12-24T18:00').getTime() },
    ])
  })

  test('without a cap has no period, and a refusal by the service is shown', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.failures['serviceKeys.create'] = failure('service/rejected', {
      detail: [{ english: 'Name already in use' }],
    })
    await open('#/developer/new-api-key')
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('Phone')
    await form.getByLabel('Spending cap').uncheck()
    await form.getByRole('button', { name: 'Create key' }).click()
    await expect(form.getByRole('alert')).toContainText('Name already in use')
    expect(callsOf(mock, 'serviceKeys.create').map(({ input }) => input)).toEqual([
      { name: 'Phone', cap: null, resetPeriod: null, expiresAt: null },
    ])
  })

  test('is created by keyboard only, from the palette to the list', async ({
    window: { open, page, mock, composer },
  }) => {
    ready(mock)
    await open()
    await expect(composer).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await page.keyboard.type('create api key')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New key' })
    await expect(form).toBeVisible()
    const name = form.getByLabel('Name')
    for (
      let steps = 0;
      steps < 4 && !(await name.evaluate((element) => element === document.activeElement));
      steps += 1
    )
      await page.keyboard.press('Tab')
    await expect(name).toBeFocused()
    await page.keyboard.type('By keys')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'I’ve copied it' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(row(page, 'By keys')).toContainText('of $5.00 per month')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test.describe('an existing key', () => {
  test('is edited by sending only the changes, and the effect of a new period is shown', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    await open(PLACE)
    await actOn(page, 'Build server', 'Edit')
    const form = page.getByRole('dialog', { name: 'Edit Build server' })
    await expect(form.getByLabel('US dollars')).toHaveValue('5')
    await expect(form.getByLabel('Resets')).toHaveValue('weekly')
    await form.getByLabel('Resets').selectOption('daily')
    await expect(form).toContainText('resets this period’s spending to zero')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(row(page, 'Build server')).toContainText('$0.00 of $5.00 per day')
    await actOn(page, 'Build server', 'Edit')
    await form.getByLabel('Spending cap').uncheck()
    await form.getByLabel('Expires').fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(row(page, 'Build server')).toContainText('No cap')
    expect(callsOf(mock, 'serviceKeys.update').map(({ input }) => input)).toEqual([
      { keyId: 'k2', resetPeriod: 'daily' },
      { keyId: 'k2', cap: null, resetPeriod: null, expiresAt: null },
    ])
    // Nothing changed, nothing sent.
    await actOn(page, 'Build server', 'Edit')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
    expect(callsOf(mock, 'serviceKeys.update')).toHaveLength(2)
  })

  test('is rotated after its steps are shown and confirmed, and the new key is shown in full once', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await actOn(page, 'Default', 'Rotate')
    const question = page.getByRole('alertdialog', { name: 'Rotate Default?' })
    for (const step of [
      'A new key is created',
      'Sotto switches to the new key',
      'The old key is revoked',
      'at least one key keeps working',
    ])
      await expect(question).toContainText(step)
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await question.getByRole('button', { name: 'Rotate', exact: true }).click()
    await confirm(page)
    const createdDialog = page.getByRole('dialog', { name: 'API key: Default' })
    await expect(createdDialog).toContainText('Sotto already uses this key.')
    await expect(createdDialog).toContainText('The old key is revoked and no longer works.')
    await expect(createdDialog.getByTestId('secret')).toHaveText(secretOf('made1'))
    await createdDialog.getByRole('button', { name: 'I’ve copied it' }).click()
    await expect(row(page, 'Default')).toContainText('Used by Sotto')
    await expect(row(page, 'Default')).toHaveCount(1)
    expect(await wholePage(page)).not.toContain(secretOf('made1'))
  })

  test('that couldn’t be revoked in a rotation is reported, and revoked on request', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.serviceKeys.revokes = false
    await open(PLACE)
    await actOn(page, 'Build server', 'Rotate')
    await expect(page.getByRole('alertdialog')).not.toContainText('Sotto switches')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const createdDialog = page.getByRole('dialog', { name: 'API key: Build server' })
    await expect(createdDialog.getByRole('alert')).toContainText('It still works')
    await createdDialog.getByRole('button', { name: 'Revoke old key' }).click()
    await expect(createdDialog).toContainText('The old key is revoked and no longer works.')
    expect(callsOf(mock, 'serviceKeys.revoke').map(({ input }) => input)).toEqual([{ keyId: 'k2' }])
  })

  test('whose rotation fails shows the failure, and the list is refreshed', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.failures['serviceKeys.rotate'] = failure('service/unreachable')
    await open(PLACE)
    await actOn(page, 'Build server', 'Rotate')
    mock.state.serviceKeys.list = [...mock.state.serviceKeys.list, serviceKey('k9', 'Half-way')]
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText(
      'The service can’t be reached.',
    )
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(row(page, 'Half-way')).toBeVisible()
  })

  test('is revoked after a question, and the key in use after a confirmation outside the window', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await actOn(page, 'Build server', 'Revoke')
    await expect(page.getByRole('alertdialog')).toContainText(
      'in every program that uses it. This can’t be undone.',
    )
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(row(page, 'Build server')).toHaveCount(0)
    await actOn(page, 'Default', 'Revoke')
    await expect(page.getByRole('alertdialog')).toContainText('Sotto pays with this key')
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await confirm(page)
    await expect(row(page, 'Default')).toHaveCount(0)
  })

  test('is shown after a confirmation, hidden automatically, and nowhere in the page afterward', async ({
    window: { open, page, mock },
  }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    await page.clock.install()
    await open(PLACE)
    await actOn(page, 'Default', 'Show')
    await page.getByRole('button', { name: 'Show for 30 seconds' }).click()
    await expect
      .poll(async () => {
        await page.clock.runFor(500)
        return page.getByLabel('Code from your terminal').count()
      })
      .toBe(1)
    await confirm(page)
    await expect(page.getByTestId('secret')).toHaveText(secretOf('k1'))
    await page.clock.runFor(31_000)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByTestId('announcer')).toHaveText('The key is hidden again')
    expect(await wholePage(page)).not.toContain(secretOf('k1'))
  })

  test('isn’t shown without a confirmation', async ({ window: { open, page, mock } }) => {
    ready(mock)
    mock.state.confirmationCode = CODE
    await open(PLACE)
    await actOn(page, 'Default', 'Show')
    await page.getByRole('button', { name: 'Show for 30 seconds' }).click()
    await page
      .getByRole('alertdialog', { name: 'Confirm in your terminal' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(page.getByRole('dialog', { name: 'API key: Default' }).getByRole('alert')).toContainText(
      'confirm/refused',
    )
    await expect(page.getByTestId('secret')).toHaveCount(0)
  })
})

test('another account has other keys, and the previous ones disappear', async ({
  window: { open, page, mock },
}) => {
  ready(mock)
  await open(PLACE)
  await expect(row(page, 'Build server')).toBeVisible()
  mock.state.serviceKeys.list = [serviceKey('z1', 'Of another', { inUse: true, spentInAll: usd(1) })]
  mock.state.status = { ...mock.state.status, account: { connected: true, creditIdMasked: '…77aa' } }
  await expect(row(page, 'Of another')).toBeVisible()
  await expect(row(page, 'Build server')).toHaveCount(0)
})
