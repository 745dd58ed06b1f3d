import { readFile } from 'node:fs/promises'
import { proofSchema } from '../../src/shared/proof.ts'
import { axeFaults } from './axe.ts'
import { tabTo } from './by-keyboard.ts'
import { conversation, receipt } from './mock-data.ts'
import { failure } from './mock-server.ts'
import { failedRelayVerdict, relayedReceipt, relays, relayVerdict, RUNNING } from './mock-service-enclave.ts'
import { whatWasPrivate } from './screens/consent-screens.ts'
import { verified } from './screens/privacy-screens.ts'
import { expect, test } from './window-test.ts'

const SECTION = 'Chat with other models'
const now = Date.now()

test.describe('the Privacy screen', () => {
  test('has no section for it if the service has no enclave of its own', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    await open('#/privacy')
    await expect(page.getByRole('region', { name: 'Limits of this proof' })).toBeVisible()
    await expect(page.getByRole('region', { name: SECTION })).toHaveCount(0)
  })

  test('names the host, who can read, and every check, and never calls it private', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    relays(mock)
    await open('#/privacy')
    const section = page.getByRole('region', { name: SECTION })
    await expect(section).toContainText(
      'enclave.service.example was verified. The service can’t read these chats; the model’s provider can.',
    )
    await section.getByText(/^Evidence and checks: 3 passed/).click()
    await expect(section.getByText('Enclave runs an accepted image')).toBeVisible()
    await expect(section).not.toContainText(/(?<!non-)\bprivate\b|end-to-end|anonymous/i)
    const saving = page.waitForEvent('download')
    await section.getByRole('button', { name: 'Save evidence' }).press('Enter')
    const download = await saving
    expect(download.suggestedFilename()).toMatch(/^sotto-proof-enclave\.service\.example-/)
    expect(proofSchema.parse(JSON.parse(await readFile(await download.path(), 'utf8'))).verdict.good).toBe(
      true,
    )
    expect(await axeFaults(page, `section[aria-label="${SECTION}"]`)).toEqual([])
  })

  test('shows since when another image runs, and lists each image with its evidence', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    const { trust, enclaveHost, platform, registers = [] } = relayVerdict(now)
    const seen = {
      id: 'now',
      trust,
      enclaveHost,
      ...(platform !== undefined && { platform }),
      registers,
      firstSeenAt: now,
      sinceAt: now,
      lastSeenAt: now,
      evidenceDigest: RUNNING.slice(0, 64),
      hasProof: true,
    }
    relays(mock, {
      history: [
        seen,
        {
          ...seen,
          id: 'before',
          registers: registers.map(({ name }) => ({ name, hex: RUNNING.replaceAll('0', 'f') })),
          lastSeenAt: now - 86_400_000,
        },
      ],
    })
    await open('#/privacy')
    const section = page.getByRole('region', { name: SECTION })
    await expect(section).toContainText('The enclave runs a different image than last time.')
    await expect(section.getByText('Before', { exact: true }).filter({ visible: true })).toHaveCount(3)
    const lines = section.getByRole('listitem').filter({ has: page.getByRole('group') })
    await expect(section.getByRole('heading', { name: 'Verified images' })).toBeVisible()
    await expect(lines).toHaveCount(2)
    await expect(lines.nth(0)).toContainText('code changed')
    await expect(lines.nth(1)).toContainText('first')
    await lines.nth(1).locator('summary').click()
    await expect(lines.nth(1)).toContainText('enclave.service.example')
    // Pins count for private models only.
    await expect(lines.nth(1).getByRole('button', { name: /^Pin measurement/ })).toHaveCount(0)
    const saving = page.waitForEvent('download')
    await lines
      .nth(1)
      .getByRole('button', { name: /^Save evidence/ })
      .click()
    expect((await saving).suggestedFilename()).toMatch(/^sotto-proof-enclave\.service\.example-/)
    expect(mock.calls.filter(({ path }) => path === 'serviceEnclave.proof').at(-1)?.input).toEqual({
      enclaveId: 'before',
    })
    expect(await axeFaults(page, `section[aria-label="${SECTION}"]`)).toEqual([])
  })

  test('can simulate faults of the demo’s enclave', async ({ window: { open, page, mock } }) => {
    verified(mock)
    relays(mock)
    await open('#/privacy/self-test')
    const faults = page.getByRole('region', { name: 'Simulated faults' })
    await expect(faults.getByRole('heading', { name: 'The service’s own enclave' })).toBeVisible()
    await faults.getByRole('switch', { name: /^The reply has no routing receipt\./ }).press('Space')
    await expect.poll(() => mock.state.faults).toEqual(['relay-missing-receipt'])
  })

  test('shows what a failed verdict means for each route', async ({ window: { open, page, mock } }) => {
    verified(mock)
    relays(mock, { verdict: failedRelayVerdict(now) })
    await open('#/privacy')
    const verdict = page.getByRole('region', { name: 'Verification of the service’s enclave' })
    await expect(verdict).toContainText('Blocked')
    await expect(verdict).toContainText('Nothing is sent to these models until verification succeeds.')
    await page.getByRole('radio', { name: /^Provider only, or visible/ }).press('Space')
    await expect(verdict).toContainText('Not verified')
    await expect(verdict).toContainText('Until verification succeeds, the service can read these chats too.')
    await expect(verdict).not.toContainText('Blocked')
    await page.getByRole('radio', { name: /^Visible to the service/ }).press('Space')
    await expect(verdict).toContainText('You chose to send these chats visibly')
  })

  test('needs a confirmation to let the service read more, and none to let it read less', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    relays(mock)
    mock.state.confirmationCode = '1234'
    await open('#/privacy')
    const providerOnly = page.getByRole('radio', { name: /^Provider only If the enclave/ })
    const visible = page.getByRole('radio', { name: /^Visible to the service/ })
    await visible.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alert')).toContainText('wasn’t confirmed')
    await expect(providerOnly).toBeChecked()
    await visible.click()
    await page.getByLabel('Code from your terminal').fill('1234')
    await page.keyboard.press('Enter')
    await expect(visible).toBeChecked()
    await providerOnly.click()
    await expect(providerOnly).toBeChecked()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('by keyboard only: a stricter rule refuses the image, which is then approved', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    relays(mock)
    await open('#/privacy')
    const section = page.getByRole('region', { name: SECTION })
    await expect(section).toBeVisible()
    await tabTo(page, /^Published by the service/)
    await page.keyboard.press('ArrowDown')
    await expect(section.getByRole('radio', { name: /^Approved by you/ })).toBeChecked()
    await expect(section).toContainText('The enclave runs an image that you haven’t approved.')
    await expect(section.getByRole('group', { name: 'Image that waits for approval' })).toContainText(
      RUNNING.slice(0, 8),
    )
    await tabTo(page, /^Approve this image/)
    await page.keyboard.press('Enter')
    await expect(section).toContainText('enclave.service.example was verified.')
    await expect(section.getByText('Approved image', { exact: true })).toBeVisible()
    expect(
      mock.calls.filter(({ path }) => path === 'serviceEnclave.approveImage').map(({ input }) => input),
    ).toEqual([{ pcr0: RUNNING }])
    await tabTo(page, /^Remove/)
    await page.keyboard.press('Enter')
    await expect(section).toContainText('You haven’t approved an image yet.')
    await expect(section).toContainText('The enclave runs an image that you haven’t approved.')
  })

  test('offers no approval with the strictest rule, and accepts two files instead', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    relays(mock, { rule: 'proven', verdict: failedRelayVerdict(now, 'service-enclave/image-not-proven') })
    mock.state.serviceEnclave.provesImage = false
    await open('#/privacy')
    const section = page.getByRole('region', { name: SECTION })
    await expect(section.getByRole('button', { name: 'Approve this image' })).toHaveCount(0)
    await section.getByRole('button', { name: 'Add provenance…' }).press('Enter')
    const dialog = page.getByRole('dialog')
    const add = dialog.getByRole('button', { name: 'Add provenance', exact: true })
    await expect(add).toBeDisabled()
    for (const [button, name] of [
      ['Choose PCR.json…', 'PCR.json'],
      ['Choose Sigstore bundle…', 'bundle.json'],
    ] as const) {
      const choosing = page.waitForEvent('filechooser')
      await dialog.getByRole('button', { name: button }).press('Enter')
      await (await choosing).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from('{}') })
      await expect(dialog.getByText(name, { exact: true })).toBeVisible()
    }
    expect(await axeFaults(page)).toEqual([])
    await add.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText(
      'These files don’t prove where an image comes from.',
    )
    mock.state.serviceEnclave.provesImage = true
    await add.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(section).toContainText('enclave.service.example was verified.')
    await expect(section).toContainText('Workflow run for commit')
    expect(mock.calls.find(({ path }) => path === 'serviceEnclave.proveImage')?.input).toEqual({
      file: 'e30=',
      bundle: 'e30=',
    })
  })

  test('shows why the choice couldn’t be loaded', async ({ window: { open, page, mock } }) => {
    verified(mock)
    relays(mock)
    mock.state.failures['serviceEnclave.view'] = failure('store/damaged')
    await open('#/privacy')
    await expect(page.getByRole('region', { name: SECTION }).getByRole('alert')).toContainText(
      'The data folder can’t be read',
    )
  })
})

test.describe('relayed chat', () => {
  test('is labeled below the composer and in the model picker', async ({ window: { open, page, mock } }) => {
    relays(mock)
    mock.state.conversations = [conversation('c1', 'Ordinary', now, [['a', 'b']], { private: false })]
    await open('#/chat/c1')
    const hint = page.locator('#who-reads')
    await expect(hint).toContainText('Provider only')
    await expect(hint).toContainText('The model’s provider can read this; the service can’t.')
    await page.getByRole('button', { name: /^Model/ }).click()
    await expect(page.getByRole('group', { name: 'Provider only' })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Visible' })).toHaveCount(0)
    expect(await axeFaults(page)).toEqual([])
  })

  test('promises no more than the chosen route does', async ({ window: { open, page, mock } }) => {
    relays(mock, { route: 'relayed-if-verified' })
    mock.state.conversations = [conversation('c1', 'Ordinary', now, [['a', 'b']], { private: false })]
    await open('#/chat/c1')
    const hint = page.locator('#who-reads')
    await expect(hint).toContainText('If the service’s enclave can’t be verified, the service can too.')
    // The status is polled, and with it the verdict.
    relays(mock, { route: 'relayed-if-verified', verdict: failedRelayVerdict(now) })
    await expect(hint).toContainText('The service and the model’s provider can read this.')
    relays(mock, { verdict: relayVerdict(now) })
    await expect(hint).toContainText('The model’s provider can read this; the service can’t.')
  })

  test('still asks before private content goes to a provider', async ({
    window: { open, page, mock, composer, messages },
  }) => {
    whatWasPrivate(mock)
    relays(mock)
    await open('#/chat/c1')
    await expect(composer).toBeFocused()
    await page.getByRole('button', { name: /^Model/ }).click()
    await page.getByRole('group', { name: 'Provider only' }).getByRole('option').first().click()
    await composer.fill('And what does it cost?')
    await composer.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Provider only')
    await expect(dialog).toContainText('The model’s provider. The service (')
    await expect(dialog).not.toContainText('Visible')
    await expect(dialog.getByRole('list', { name: 'Messages the provider could read' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Allow once' }).click()
    const answer = await mock.nextAnswer()
    answer.delta('Nothing.')
    const storedReceipt = relayedReceipt('r-relayed', now)
    mock.state.receipts.push(storedReceipt)
    answer.end({}, storedReceipt)
    // The mark of the answer, with the provider of its receipt; and the private answer above it.
    const last = messages.getByRole('article').last()
    await expect(last).toContainText('Provider only')
    await expect(last).toContainText('openrouter')
    await expect(messages.getByText('A provider could read it later').first()).toBeVisible()
  })

  test('has a receipt that shows its destination and anything unusual about it', async ({
    window: { open, page, mock },
  }) => {
    verified(mock)
    relays(mock)
    mock.state.receipts = [
      relayedReceipt('r1', now),
      relayedReceipt('r2', now - 1, { state: 'refused', refusal: 'request' }),
      receipt('r3', now - 2),
    ]
    await open('#/privacy/receipts')
    const rows = page
      .getByRole('region', { name: 'Receipts' })
      .getByRole('button', { name: /^Provider only/ })
    await rows.first().press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('The model’s provider can read it; the service can’t.')
    await expect(dialog).toContainText('enclave.service.example')
    const destination = dialog.getByRole('region', { name: 'Destination' })
    for (const text of [
      'Verified: signed with the enclave’s TLS key',
      'openrouter.example',
      'sandbox/echo-2026',
      'sandbox/echo-mini',
      'a different model',
      'isn’t known to belong',
      'which isn’t named',
    ])
      await expect(destination).toContainText(text)
    await expect(dialog).toContainText('passed it to the model’s provider, who could read it')
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await rows.nth(1).press('Enter')
    await expect(destination).toContainText(
      'Unknown: Sotto rejected the routing receipt. It belongs to a different request.',
    )
  })
})
