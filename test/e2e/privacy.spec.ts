import { readFile } from 'node:fs/promises'
import { proofSchema } from '../../src/shared/proof.ts'
import { goodVerdict, hex, serviceStatus } from './mock-data.ts'
import { failure } from './mock-server.ts'
import {
  changeLog,
  enclave,
  nitroVerdict,
  notYetTrusted,
  noticed,
  staleTrust,
  tdxVerdict,
  withProviderFloor,
} from './mock-privacy.ts'
import { verified } from './screens/privacy-screens.ts'
import { expect, test } from './window-test.ts'

const now = Date.now()

test('the secrets of the prompt cache can be renewed, and a failure is shown', async ({
  window: { open, page, mock },
}) => {
  verified(mock)
  await open('#/privacy/requirements')
  const cache = page.getByRole('region', { name: 'Prompt cache' })
  await expect(cache).toContainText('Private requests contain a secret inside the encryption')
  const renew = cache.getByRole('button', { name: 'Replace secrets' })
  await renew.press('Enter')
  await expect(cache.getByRole('status')).toHaveText('Secrets replaced')
  mock.state.unwritable = true
  await renew.press('Enter')
  await expect(cache.getByRole('alert')).toBeVisible()
  await expect(cache.getByRole('status')).toHaveText('')
  expect(mock.calls.filter(({ path }) => path === 'privacy.renewCacheSecret')).toHaveLength(2)
})

test.describe('the changes of the enclave', () => {
  test('since the last verification are shown with old and new values, in words and hex', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    await open('#/privacy')
    const change = page.getByRole('region', { name: 'Latest change' })
    await expect(change).toContainText('The code is the same, but the keys have changed')
    const key = change.locator('dl > div').filter({ hasText: 'Encryption key' })
    await expect(key).toContainText(`Before ${hex(51, 32).slice(0, 8)}`)
    await expect(key).toContainText(`Now ${hex(9, 32).slice(0, 8)}`)
  })

  test('are named in each entry of the history, which can save its evidence', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    await open('#/privacy/history')
    const lines = page.getByRole('region', { name: 'Enclave history' }).locator('ol > li')
    await expect(lines).toHaveCount(3)
    await expect(lines.nth(0).locator('summary')).toContainText('v1.4.2 last verified')
    await expect(lines.nth(0).locator('summary')).toContainText('keys changed')
    await expect(lines.nth(1).locator('summary')).toContainText('release changed, code changed')
    await expect(lines.nth(2).locator('summary')).toContainText('first')
    await lines.nth(1).locator('summary').press('Enter')
    await expect(lines.nth(1)).toContainText('The enclave runs a different release than last time.')
    const saving = page.waitForEvent('download')
    await lines
      .nth(1)
      .getByRole('button', { name: /^Save evidence/ })
      .press('Enter')
    await saving
    expect(mock.calls.filter(({ path }) => path === 'privacy.proof').map(({ input }) => input)).toEqual([
      { enclaveId: 'e2' },
    ])
    await lines.nth(2).locator('summary').press('Enter')
    await expect(lines.nth(2)).toContainText('The evidence was too large to save.')
    await expect(lines.nth(2).getByRole('button', { name: /^Save/ })).toHaveCount(0)
  })

  test('are absent before the first verification, and the first enclave is marked', async ({
    window: { open, page, mock },
  }) => {
    await open('#/privacy/history')
    await expect(page.getByText('Nothing verified yet')).toBeVisible()
    await page.getByRole('tab', { name: 'Verdict' }).click()
    await expect(page.getByRole('region', { name: 'Latest change' })).toHaveCount(0)
    mock.state.history = [enclave('e1', now)]
    await page.getByRole('button', { name: 'Verify now' }).click()
    await expect(page.getByRole('region', { name: 'Latest change' })).toContainText(
      'First enclave verified on this computer',
    )
  })

  test('show an error if they can’t be read, and the verdict remains', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    mock.state.failures['privacy.history'] = failure('store/damaged')
    await open('#/privacy')
    await expect(page.getByRole('alert')).toContainText('The data folder can’t be read')
    await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
  })
})

test.describe('an evidence file', () => {
  test('is saved from the view in a form that can be read again', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    await open('#/privacy')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save evidence' }).press('Enter')
    const download = await saving
    expect(download.suggestedFilename()).toMatch(
      /^sotto-proof-router\.sandbox\.example-\d{4}-\d\d-\d\dT[\d-]+Z\.json$/,
    )
    const proof = proofSchema.parse(JSON.parse(await readFile(await download.path(), 'utf8')))
    expect(proof.verdict.evidenceDigest).toBe(goodVerdict(now).evidenceDigest)
  })

  test('shows an error if it is missing', async ({ window: { open, page, mock } }) => {
    verified(mock)
    mock.state.failures['privacy.proof'] = failure('proof/missing')
    await open('#/privacy')
    await page.getByRole('button', { name: 'Save evidence' }).click()
    await expect(page.getByRole('alert')).toContainText('There’s no evidence to save.')
  })
})

test.describe('the user’s requirements', () => {
  test('approval of releases is turned on immediately, and off only after a confirmation outside the window', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    mock.state.confirmationCode = '1234'
    await open('#/privacy/requirements')
    const ask = page.getByRole('switch', { name: 'Require my approval for new releases' })
    await expect(ask).not.toBeChecked()
    await ask.press('Space')
    await expect(ask).toBeChecked()
    await ask.press('Space')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('automatically from now on')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alert')).toContainText('wasn’t confirmed')
    await expect(ask).toBeChecked()
    await ask.press('Space')
    await page.getByLabel('Code from your terminal').fill('1234')
    await page.keyboard.press('Enter')
    await expect(ask).not.toBeChecked()
  })

  test('fresh evidence is offered once, required immediately, and relaxed only after a confirmation outside the window', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    mock.state.privacyChoices = {
      ...mock.state.privacyChoices,
      freshEvidence: { chosen: null, host: 'enclave.sotto-sandbox.example' },
    }
    mock.state.confirmationCode = '1234'
    await open('#/privacy/requirements')
    const section = page.getByRole('region', { name: 'Fresh evidence' })
    await section.getByRole('button', { name: 'Ask directly' }).press('Enter')
    const direct = section.getByRole('radio', { name: /Ask enclave\.sotto-sandbox\.example directly/ })
    await expect(direct).toBeChecked()
    await section.getByRole('radio', { name: /Don’t ask/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(direct).toBeChecked()
    await section.getByRole('radio', { name: /Don’t ask/ }).click()
    await page.getByLabel('Code from your terminal').fill('1234')
    await page.keyboard.press('Enter')
    await expect(section.getByRole('radio', { name: /Don’t ask/ })).toBeChecked()
  })

  test('a private chat with old evidence links to the choice until the user has chosen', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    mock.state.privacyChoices = {
      ...mock.state.privacyChoices,
      freshEvidence: { chosen: null, host: 'enclave.sotto-sandbox.example' },
    }
    mock.state.status = {
      ...mock.state.status,
      service: { ...mock.state.status.service, asksFreshEvidence: true },
    }
    await open()
    const ask = page.getByRole('link', { name: 'Choose who Sotto asks for fresh evidence' })
    await ask.press('Enter')
    await page.getByRole('button', { name: 'Ask only the service' }).press('Enter')
    await expect(page.getByRole('radio', { name: /^Ask the service/ })).toBeChecked()
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(page.getByText('Sealed to the verified enclave, or not sent.')).toBeVisible()
    await expect(ask).toHaveCount(0)
  })

  test('the provider’s lower firmware minimum is accepted only after a confirmation outside the window, shown, and turned off immediately', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    mock.state.confirmationCode = '1234'
    mock.state.privacyChoices = withProviderFloor(false)
    await open('#/privacy/requirements')
    const choices = page.getByRole('region', { name: 'Your requirements' })
    const lower = choices.getByRole('switch', { name: 'Accept the provider’s lower firmware minimum' })
    await expect(lower).not.toBeChecked()
    await expect(choices).toContainText('Genoa: snp 23 → 14')
    await expect(choices).toContainText('Without the fix, a server can run forged microcode.')
    await lower.press('Space')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Lower the minimum firmware')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(choices.getByRole('alert')).toContainText('wasn’t confirmed')
    await expect(lower).not.toBeChecked()
    expect(mock.calls.filter(({ path }) => path === 'privacy.verify')).toHaveLength(0)

    mock.state.nextVerdict = noticed(goodVerdict(Date.now()), 'policy/provider-floor-accepted')
    await lower.press('Space')
    await page.getByLabel('Code from your terminal').fill('1234')
    await page.keyboard.press('Enter')
    await expect(lower).toBeChecked()
    await expect(choices.getByRole('note')).toContainText('Accepted floor below AMD-SB-3019.')
    await page.getByRole('tab', { name: 'Verdict' }).click()
    await expect(page.getByRole('region', { name: 'Verification' })).toContainText(
      'Accepted floor below AMD-SB-3019.',
    )
    await expect(page.getByText('policy/provider-floor-accepted')).toBeVisible()
    await page.getByRole('tab', { name: 'Requirements' }).click()

    mock.state.nextVerdict = goodVerdict(Date.now())
    await lower.press('Space')
    await expect(lower).not.toBeChecked()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(page.getByText('Accepted floor below AMD-SB-3019.')).toHaveCount(0)
    expect(
      mock.calls.filter(({ path }) => path === 'privacy.setProviderFloors').map(({ input }) => input),
    ).toEqual([{ accepted: true }, { accepted: true }, { accepted: false }])
  })

  test('a service without a lower firmware minimum has no option for it', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    await open('#/privacy/requirements')
    await expect(page.getByRole('switch', { name: 'Require my approval for new releases' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Server firmware' })).toHaveCount(0)
  })

  test('firmware older than on genuine servers is noted under a good verdict', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    mock.state.verdict = noticed(goodVerdict(now), 'report/tcb-below-expected')
    await open('#/privacy')
    await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
    await expect(page.getByRole('note').filter({ hasText: 'report/tcb-below-expected' })).toContainText(
      'older than on genuine servers seen before',
    )
  })

  test('a pending release shows its changes, and is trusted after two questions', async ({
    window: { open, page, mock },
  }) => {
    mock.state.confirmationCode = '1234'
    mock.state.history = changeLog(now)
    mock.state.verdict = notYetTrusted(now)
    await open('#/privacy')
    await expect(page.getByRole('heading', { name: 'Blocked' })).toBeVisible()
    await expect(page.getByText('Nothing is sent until you approve it.')).toBeVisible()
    const panel = page.getByRole('main')
    await expect(
      panel.getByText('The enclave runs a different release than last time.').first(),
    ).toBeVisible()
    await page.getByRole('button', { name: /^Approve .*v1\.5\.0…/ }).press('Enter')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByLabel('Code from your terminal').fill('1234')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible()
    expect(mock.calls.find(({ path }) => path === 'privacy.acceptRelease')?.input).toEqual({
      release: hex(33, 32),
    })
  })

  test('a measurement is pinned from the history, verified again, and unpinned after a confirmation outside the window', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    mock.state.confirmationCode = '1234'
    await open('#/privacy/history')
    const line = page.getByRole('region', { name: 'Enclave history' }).locator('ol > li').first()
    await line.locator('summary').click()
    await line.getByRole('button', { name: /^Pin measurement/ }).click()
    await expect(line).toContainText('This measurement is pinned.')
    await page.getByRole('tab', { name: 'Requirements' }).click()
    const pins = page.getByRole('region', { name: 'Your requirements' })
    await expect(pins).toContainText(`MEASUREMENT ${hex(7, 48).slice(0, 8)}`)
    await expect.poll(() => mock.calls.filter(({ path }) => path === 'privacy.verify').length).toBe(1)
    await pins.getByRole('button', { name: /^Unpin/ }).click()
    await page.getByLabel('Code from your terminal').fill('1234')
    await page.keyboard.press('Enter')
    await expect(pins).toContainText('None. Any measurement')
  })
})

test.describe('every platform', () => {
  const platforms = [
    {
      name: 'AMD SEV-SNP, Genoa',
      verdict: goodVerdict(now),
      registers: ['MEASUREMENT'],
      freshness: /At least as new as/,
    },
    {
      name: 'Intel TDX',
      verdict: tdxVerdict(now),
      registers: ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2', 'RTMR3'],
      freshness: /At least as new as/,
    },
    {
      name: 'AWS Nitro',
      verdict: nitroVerdict(now),
      registers: ['PCR0', 'PCR1', 'PCR2'],
      freshness: /Created for this request/,
    },
  ]
  for (const { name, verdict, registers, freshness } of platforms) {
    test(`${name}: shows its registers, its freshness, and the limits of each step`, async ({
      window: { open, page, mock },
    }) => {
      mock.state.verdict = verdict
      await open('#/privacy')
      await expect(page.getByText(name, { exact: true }).first()).toBeVisible()
      await expect(
        page.getByRole('table', { name: 'Hardware measurements' }).getByRole('rowheader').locator('code'),
      ).toHaveText(registers)
      await expect(page.getByText(freshness)).toBeVisible()
      await page.getByRole('tab', { name: 'Evidence' }).click()
      const checks = page.getByRole('region', { name: 'All checks' })
      const group = checks.locator('[data-group]').last()
      await group.locator('summary').first().click()
      const steps = group.getByRole('listitem')
      await steps.last().locator('summary').press('Enter')
      await expect(steps.last()).toContainText('Expected')
    })
  }

  test('a step shows what it doesn’t prove, and formats hex separately from text', async ({
    window: { open, page, mock },
  }) => {
    mock.state.verdict = tdxVerdict(now)
    await open('#/privacy/evidence')
    await page.getByRole('searchbox', { name: 'Search checks' }).fill('measurement/match')
    const step = page.locator('[data-step="measurement/match"]')
    await expect(page.locator('[data-step]')).toHaveCount(1)
    await step.locator('summary').click()
    await expect(step).toContainText('Not covered')
    await expect(step).toContainText('What the code does with the data it reads')
    await expect(step.locator('dd code').first()).toHaveText(hex(82, 48).match(/.{8}/g)!.join(' '))
  })
})

test('the selected tab is in view in a narrow window, also after the window got narrower', async ({
  window: { open, page },
}) => {
  await open('#/privacy/self-test')
  const tab = page.getByRole('tab', { name: 'Self-test', selected: true })
  for (const width of [1280, 400]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(tab).toBeInViewport({ ratio: 1 })
  }
  await page.reload()
  await expect(tab).toBeInViewport({ ratio: 1 })
})

test('the address of a release is shown before it is opened, and the sandbox has none', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = serviceStatus()
  mock.state.verdict = { ...goodVerdict(now), trust: 'built-in' }
  await open('#/privacy')
  await page.getByRole('button', { name: 'github.com/sandbox-example/router/releases/tag/v1.4.2' }).click()
  await expect(page.getByTestId('link-target')).toHaveText(
    'https://github.com/sandbox-example/router/releases/tag/v1.4.2',
  )
  await page.keyboard.press('Escape')
  mock.state.verdict = goodVerdict(now)
  await page.reload()
  await expect(page.getByText('Demo releases aren’t published anywhere.').first()).toBeVisible()
})

test('the trust roots are shown with their fingerprints, and marked if they are out of date', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = serviceStatus()
  mock.state.trust = staleTrust(now)
  await open('#/privacy/evidence')
  const roots = page.getByRole('region', { name: 'Trust roots' })
  for (const name of ['AMD ARK, Genoa', 'Intel SGX Root CA', 'AWS Nitro root', 'Sigstore trusted root'])
    await expect(roots.getByText(name, { exact: true })).toBeVisible()
  await expect(roots.getByRole('note')).toContainText('Out of date')
})
