import { MOCK_CREDIT_ID, MOCK_SERVICE_KEY } from './mock-accounts.ts'
import { failure } from './mock-server.ts'
import * as data from './mock-data.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

test.describe('the first start', () => {
  test.beforeEach(({ mock }) => {
    mock.state.status = { ...mock.state.status, firstStart: true, account: { connected: false } }
  })

  test('continues in demo mode, and does not return', async ({ window: { open, page, composer } }) => {
    await open()
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await expect(composer).toBeVisible()
    await page.reload()
    await expect(composer).toBeVisible()
  })

  test('connects an account after a code from the terminal, and stores the key nowhere in the tab', async ({
    window: { open, page, mock, composer },
  }) => {
    mock.state.confirmationCode = '313662'
    await open()
    await page.getByRole('button', { name: 'I have an API key' }).click()
    await page.getByLabel('API key').fill('sk-a-secret-key-of-mine')
    await page.getByLabel('Credit ID').fill('credit-0001')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()

    const dialog = page.getByRole('alertdialog', { name: 'Confirm in your terminal' })
    await expect(dialog).toContainText('Switch to the service The service')
    await dialog.getByLabel('Code from your terminal').fill('000000')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Wrong code. You can try again in 1 second.')
    await dialog.getByLabel('Code from your terminal').fill('313662')
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeDisabled()
    await expect(dialog).toContainText('Wrong code. Check the terminal and try again.')
    await dialog.getByRole('button', { name: 'Confirm' }).click()

    await expect(composer).toBeVisible()
    await expect(page.getByLabel('Demo mode', { exact: true })).toHaveCount(0)
    // The sidebar then shows the balance.
    const changes = ({ path }: { path: string }) =>
      path === 'app.begin' || (path.startsWith('accounts') && path !== 'accounts.balance')
    expect(mock.calls.filter(changes)).toEqual([
      { path: 'accounts.connect', input: { apiKey: 'sk-a-secret-key-of-mine', creditId: 'credit-0001' } },
      { path: 'app.begin', input: undefined },
    ])
    expect(
      await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
      ),
    ).not.toContain('secret-key')
  })

  test('keeps a code that was entered too early, and accepts it after the wait', async ({
    window: { open, page, mock },
  }) => {
    mock.state.confirmationCode = '313662'
    mock.state.failures['confirmations.answer'] = { ...failure('confirm/too-soon'), retryAfterSeconds: 2 }
    await open()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Create account' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Confirm in your terminal' })
    const confirm = dialog.getByRole('button', { name: 'Confirm' })
    await dialog.getByLabel('Code from your terminal').fill('313662')
    await confirm.click()
    await expect(page.getByTestId('announcer')).toHaveText('You can try again in 2 seconds.')
    await expect(dialog).toContainText('You can try again in 1 second.')
    await expect(confirm).toBeDisabled()
    delete mock.state.failures['confirmations.answer']
    await expect(dialog.getByLabel('Code from your terminal')).toHaveValue('313662')
    await confirm.click()
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => mock.calls.filter(({ path }) => path === 'accounts.create').length).toBe(1)
  })

  test('shows that an unanswered confirmation was canceled, and changes nothing', async ({
    window: { open, page, mock },
  }) => {
    mock.state.confirmationCode = '313662'
    await open()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page
      .getByRole('alertdialog', { name: 'Confirm in your terminal' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(page.getByRole('alert')).toBeVisible()
    expect(mock.calls.some(({ path }) => path === 'accounts.create')).toBe(false)
  })

  test('shows the remedy and code for a key that the service rejects', async ({
    window: { open, page, mock },
  }) => {
    mock.state.failures['accounts.connect'] = failure('service/key-refused')
    await open()
    await page.getByRole('button', { name: 'I have an API key' }).click()
    await page.getByLabel('API key').fill('sk-wrong-wrong')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const note = page.getByRole('alert')
    for (const part of [
      'The service rejected the account’s API key',
      'Reconnect the account',
      'service/key-refused',
    ])
      await expect(note).toContainText(part)
  })

  test('shows a new account’s credentials once, with a copy to save, and continues only after the user confirms', async ({
    window: { open, page, mock },
  }) => {
    const screens: (string | null)[] = []
    const countScreen = async () => screens.push(await page.getByRole('heading', { level: 1 }).textContent())
    await open()
    await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
    await countScreen()
    await page.getByRole('button', { name: 'Create account' }).click()
    await countScreen()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Your new account' })).toBeVisible()
    await countScreen()
    await expect(page.getByTestId('secret')).toHaveText([MOCK_SERVICE_KEY, MOCK_CREDIT_ID])
    for (const name of ['Copy API key', 'Copy Credit id'])
      await expect(page.getByRole('button', { name })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /without saving/ })).toHaveCount(0)
    expect(mock.calls.some(({ path }) => path === 'app.begin')).toBe(false)

    await page.getByRole('button', { name: 'Save encrypted backup…' }).click()
    await page.getByLabel('Backup passphrase').fill('several words of mine')
    await page.getByLabel('Confirm passphrase').fill('several words of mine')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save backup' }).click()
    expect((await download).suggestedFilename()).toBe('sotto-accounts-2026-11-22.json')
    await expect(page.getByText('exported as sotto-accounts-2026-11-22.json')).toBeVisible()

    // A new account has no balance: the next step is to add funds.
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await expect(page.getByRole('heading', { name: 'Wallet', exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Add funds' })).toBeVisible()
    await countScreen()
    // Each step is one screen.
    expect(screens).toEqual([
      'Private chats. Verified hardware. Pay only for what you use.',
      'Create an account',
      'Your new account',
      'Wallet',
    ])
    expect(mock.state.accounts.list).toMatchObject([{ account: { active: true, saved: true } }])
    expect(
      await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
      ),
    ).not.toContain(MOCK_SERVICE_KEY)
  })

  test('explains starting without an account, and starts without one', async ({
    window: { open, page, mock },
  }) => {
    await open()
    await page.getByRole('button', { name: 'Pay per request' }).click()
    const way = page.getByRole('main')
    for (const part of ['one request at a time', 'Lightning wallet', 'need an account'])
      await expect(way).toContainText(part)
    await way.getByRole('button', { name: 'Start without an account' }).click()
    await expect(page.getByRole('heading', { name: 'Wallet', exact: true })).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Payment methods' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByLabel('Demo mode', { exact: true })).toHaveCount(0)
    await expect(page.getByText('No account is active')).toBeVisible()
    expect(
      mock.calls.filter(({ path }) => /^accounts\.(create|connect|disconnect|forget)$/.test(path)),
    ).toEqual([])
    expect([mock.state.status.firstStart, mock.state.accounts.list]).toEqual([false, []])
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(page.getByRole('heading', { name: 'Say it quietly' })).toBeVisible()
  })

  test('deactivates an existing account if the user starts without one, and preserves it', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = { ...data.serviceStatus(), firstStart: true }
    await open()
    await page.getByRole('button', { name: 'Pay per request' }).click()
    await page.getByRole('button', { name: 'Start without an account' }).click()
    await expect(page.getByText('No account is active')).toBeVisible()
    expect(mock.state.accounts.list).toMatchObject([{ account: { active: false } }])
  })
})

test.describe('the vault', () => {
  test('locked: only the passphrase is requested, and a wrong one shows an error', async ({
    window: { open, page, mock, composer },
  }) => {
    mock.state.status = { ...data.serviceStatus(), vault: { kind: 'file', state: 'locked' } }
    await open('#/privacy')
    await page.getByLabel('Passphrase').fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('This passphrase doesn’t unlock the vault')
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await page.getByLabel('Passphrase').fill('correct horse battery staple')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Privacy', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(composer).toBeVisible()
  })

  test('damaged: shows instructions, and creates no new vault', async ({ window: { open, page, mock } }) => {
    mock.state.status = { ...data.serviceStatus(), vault: { kind: 'file', state: 'damaged' } }
    await open()
    await expect(page.getByRole('heading', { name: 'Vault damaged' })).toBeVisible()
    // The screen offers no new vault.
    await expect(page.getByRole('button')).toHaveText(['Try again', 'Restore from a recovery copy…'])
  })

  test('memory: warns until it is protected with a passphrase entered twice', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = { ...mock.state.status, vault: { kind: 'memory', state: 'open' } }
    await open()
    await expect(
      page.getByRole('paragraph').filter({ hasText: 'will be deleted when Sotto quits' }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Protect with a passphrase' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Passphrase', { exact: true }).fill('several words here')
    await dialog.getByLabel('Confirm passphrase').fill('several words her')
    await dialog.getByRole('button', { name: 'Protect with this passphrase' }).click()
    await expect(dialog).toContainText('The passphrases don’t match')
    expect(mock.calls.some(({ path }) => path === 'vault.protect')).toBe(false)
    await dialog.getByLabel('Confirm passphrase').fill('several words here')
    await dialog.getByRole('button', { name: 'Protect with this passphrase' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('will be deleted when Sotto quits')).toHaveCount(0)
  })
})

test.describe('the window frame', () => {
  test('shows the demo mode label in every view and over every dialog, and only in demo mode', async ({
    window: { open, page, mock, composer },
  }) => {
    await open()
    const mark = page.getByText('Demo mode', { exact: true }).first()
    for (const view of ['Privacy', 'Developer', 'Settings']) {
      await page.getByRole('link', { name: view }).click()
      await expect(mark).toBeInViewport()
    }
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(mark).toBeInViewport()
    await expect(composer).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog')).toBeVisible()
    // Nothing covers the mark: it is the element at its own center.
    expect(
      await mark.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }),
    ).toBe(true)
    await page.keyboard.press('Escape')
    mock.state.status = data.serviceStatus()
    await expect(page.getByLabel('Demo mode', { exact: true })).toHaveCount(0, { timeout: 10_000 })
  })

  test('removes a notice after it is acknowledged, but not a lasting one', async ({
    window: { open, page, mock },
  }) => {
    mock.state.status = {
      ...mock.state.status,
      notices: [
        {
          id: 'port-moved-7789',
          says: [
            { english: 'Port 7788 is in use, so Sotto is using port 7789 for the local address this time.' },
          ],
          lasting: false,
        },
        { id: 'lasting', says: [{ english: 'This stays.' }], lasting: true },
      ],
    }
    await open()
    await expect(page.getByText('Port 7788 is in use')).toBeVisible()
    await page.getByRole('button', { name: 'Got it' }).click()
    await expect(page.getByText('Port 7788 is in use')).toHaveCount(0)
    await expect(page.getByText('This stays.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Got it' })).toHaveCount(0)
  })

  test('shows changed records until they are accepted', async ({ window: { open, page, mock } }) => {
    mock.state.status = {
      ...mock.state.status,
      notices: [
        {
          id: 'records-changed',
          says: [{ english: 'Saved records were changed outside Sotto.' }],
          lasting: true,
        },
      ],
    }
    await open()
    await expect(page.getByText('Saved records were changed outside Sotto.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Got it' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Accept records' }).click()
    await expect(page.getByText('Saved records were changed outside Sotto.')).toHaveCount(0)
  })

  test('offers the actions of the views by keyboard in the palette', async ({
    window: { open, page, composer },
  }) => {
    await open()
    await expect(page.getByRole('heading', { name: 'Try a private chat' })).toBeVisible()
    await expect(composer).toBeFocused()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('verify')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('theme')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })

  test('shows an error while the server doesn’t respond, and recovers when it does', async ({
    window: { open, page, mock, composer },
  }) => {
    await open()
    await expect(composer).toBeVisible()
    mock.state.failures['app.status'] = failure('store/damaged')
    await expect(page.getByRole('alert')).toContainText('The data folder can’t be read', { timeout: 10_000 })
    delete mock.state.failures['app.status']
    await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 10_000 })
  })
})

test.describe('privacy', () => {
  test('first not checked, then verified by the sandbox’s roots, with every step', async ({
    window: { open, page },
  }) => {
    await open('#/privacy')
    await expect(page.getByRole('heading', { name: 'Not verified yet' })).toBeVisible()
    await page.getByRole('button', { name: 'Verify now' }).click()
    await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
    await expect(page.getByText('Demo roots', { exact: true })).toBeVisible()
    await expect(page.getByText('v1.4.2 from sandbox-example/router')).toBeVisible()
    await expect(page.getByText(/^, \d+ min \d+ s left/)).toBeVisible()
    for (const limit of ['The model itself', 'Metadata', 'Physical attacks', 'Billing'])
      await expect(page.getByText(limit)).toBeVisible()
    await page.getByRole('tab', { name: 'Evidence' }).click()
    await expect(page.getByText('8 passed, 1 not checked')).toBeVisible()
    await page.getByText('Release signature', { exact: true }).click()
    await page.getByText('Certificates and keys', { exact: true }).click()
    const code = page.locator('[data-step="measurement/match"]')
    await code.getByText('Enclave runs the code of the release').click()
    await expect(code).toContainText('Expected')
    await expect(code).not.toContainText('claim')
    const claimed = page.locator('[data-step]', { hasText: 'Passed, claim' })
    await claimed.locator('summary').click()
    await expect(claimed).toContainText('no signature proves it')
  })

  test('refused: the failed step is expanded and explained', async ({ window: { open, page, mock } }) => {
    mock.state.verdict = data.refusedVerdict(now)
    await open('#/privacy')
    await expect(page.getByRole('heading', { name: 'Blocked' })).toBeVisible()
    await expect(page.getByText('These values are signed, but verification failed.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Failed checks' })).toContainText('evidence/malformed')
    await page.getByRole('tab', { name: 'Evidence' }).click()
    const failed = page.locator('[data-step="measurement/match"]')
    await expect(failed).toContainText('Failed')
    await expect(failed.getByText('evidence/malformed')).toBeVisible()
    await expect(page.locator('[data-step="binding/hpke-key"]')).toContainText('Not reached')
    await expect(page.getByRole('link', { name: /Privacy.*blocked/ })).toBeVisible()
  })

  test('shows an expired verdict as expired', async ({ window: { open, page, mock } }) => {
    await page.clock.install()
    const start = await page.evaluate<number>('Date.now()')
    mock.state.verdict = { ...data.goodVerdict(now), validUntil: start + 10 * 60_000 }
    await open('#/privacy')
    await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
    await page.clock.fastForward('10:01')
    await expect(page.getByRole('heading', { name: 'Verification expired' })).toBeVisible()
  })

  test('turns on a simulated fault with its switch, and shows it in the window frame', async ({
    window: { open, page, mock },
  }) => {
    await open('#/privacy/self-test')
    mock.state.nextVerdict = data.refusedVerdict(now)
    await page.getByRole('switch', { name: /other-measurement/ }).click()
    await expect(page.getByRole('switch', { name: /other-measurement/ })).toBeChecked()
    expect(mock.state.faults).toEqual(['other-measurement'])
    await expect(page.getByRole('link', { name: '1 simulated fault is on' })).toBeVisible()
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByRole('tab', { name: 'Verdict' }).click()
    await expect(page.getByRole('heading', { name: 'Blocked' })).toBeVisible()
  })

  test('has no simulated faults outside the sandbox', async ({ window: { open, page, mock } }) => {
    mock.state.status = data.serviceStatus()
    await open('#/privacy/self-test')
    await expect(page.getByRole('button', { name: 'Run self-test' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Simulated faults' })).toHaveCount(0)
  })

  test('approves an older release only after two questions, the second outside the window', async ({
    window: { open, page, mock },
  }) => {
    mock.state.confirmationCode = '1234'
    const { failure: _, ...verdict } = data.refusedVerdict(now)
    mock.state.verdict = {
      ...verdict,
      failure: {
        step: 'release/not-older',
        code: 'release/older',
        says: 'The enclave runs an older release.',
      },
    }
    await open('#/privacy')
    await page.getByRole('button', { name: /^Approve / }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByLabel('Code from your terminal').fill('1234')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
  })

  test('offers no verification without a policy', async ({ window: { open, page, mock } }) => {
    const status = data.serviceStatus()
    mock.state.status = { ...status, service: { ...status.service, hasPolicy: false } }
    await open('#/privacy')
    await expect(page.getByText('There’s no attestation policy')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Verify/ })).toHaveCount(0)
  })

  test('opens receipts and shows their limits', async ({ window: { open, page, mock } }) => {
    mock.state.receipts = [data.receipt('r1', now), data.refusedReceipt('r2', now - 1000)]
    await open('#/privacy')
    await page.getByRole('tab', { name: 'Receipts' }).click()
    await page.getByRole('button', { name: /Private.*private\/sandbox-large/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Receipt' })
    for (const part of [
      'router.sandbox.example',
      'v1.4.2',
      '$0.0013518',
      'Limits of this proof',
      'Request ciphertext, SHA-256',
    ])
      await expect(dialog).toContainText(part)
    // Back closes the dialog, and only the next one leaves the tab.
    await page.evaluate('history.back()')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('tab', { name: 'Receipts' })).toHaveAttribute('aria-selected', 'true')
    await page.getByRole('button', { name: /Blocked.*not sent/ }).click()
    await expect(dialog).toContainText('measurement/match')
    await page.keyboard.press('Escape')
    await page.evaluate('history.back()')
    await expect(page.getByRole('tab', { name: 'Verdict' })).toHaveAttribute('aria-selected', 'true')
  })
})

test.describe('settings', () => {
  test('change the service after a confirmation, and show the views of the new one', async ({
    window: { open, page, mock },
  }) => {
    mock.state.conversations = [data.conversation('c1', 'Of the sandbox', now, [['a', 'b']])]
    await open()
    await expect(page.getByRole('link', { name: 'Of the sandbox' })).toBeVisible()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('radio', { name: /The service/ }).check()
    mock.state.conversations = []
    await page.getByRole('button', { name: 'Change service' }).click()
    await expect(page.getByText('Built-in roots')).toBeVisible()
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(page.getByText('No chats yet')).toBeVisible()
  })

  test('show the balance on request, and link to the Wallet for the rest', async ({
    window: { open, page },
  }) => {
    await open('#/settings')
    await page.getByRole('button', { name: 'Show balance' }).click()
    await expect(page.getByRole('main').getByText('$4.21')).toBeVisible()
    await page.getByRole('button', { name: 'Manage accounts' }).click()
    await expect(page.getByRole('tab', { name: 'Accounts' })).toHaveAttribute('aria-selected', 'true')
  })

  test('offer no balance without an active account', async ({ window: { open, page, mock } }) => {
    mock.state.status = { ...data.serviceStatus(), account: { connected: false } }
    await open('#/settings')
    await expect(page.getByText('Not connected')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show balance' })).toHaveCount(0)
  })
})
