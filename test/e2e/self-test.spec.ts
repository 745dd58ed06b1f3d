import type { SelfTestAttempt, SelfTestEvent, SelfTestResult } from '../../src/shared/self-test.ts'
import { axeFaults } from './axe.ts'
import { failure } from './mock-server.ts'
import { expect, test } from './window-test.ts'

const attempts: SelfTestAttempt[] = [
  { platform: 'sev-snp', fault: null },
  { platform: 'sev-snp', fault: 'debug-guest' },
  { platform: 'tdx', fault: null },
  { platform: 'tdx', fault: 'rtmr3-not-zero' },
  { platform: 'tdx', fault: 'plaintext-200' },
]
const answered: SelfTestResult = {
  held: true,
  refusal: null,
  expected: null,
  received: { bodyBytes: 151, sealed: true },
}
const refused: SelfTestResult = {
  held: true,
  expected: 'report/debug-guest',
  refusal: {
    code: 'attestation/failed',
    says: 'The enclave was started in debug mode, so its host can read its memory.',
    step: { id: 'report/debug', title: 'Enclave debugging is disabled', code: 'report/debug-guest' },
  },
  received: { bodyBytes: 0, sealed: true },
}
const plaintext: SelfTestResult = {
  held: true,
  expected: 'channel/plaintext-response',
  refusal: { code: 'channel/plaintext-response', says: 'The answer came in the open.' },
  received: { bodyBytes: 151, sealed: true },
}
const wentThrough: SelfTestResult = {
  held: false,
  expected: 'td/rtmr3-set',
  refusal: null,
  received: { bodyBytes: 151, sealed: true },
}

function* played(results: readonly SelfTestResult[]): Generator<SelfTestEvent> {
  yield { type: 'planned', attempts }
  for (const [index, result] of results.entries()) {
    yield { type: 'started', index }
    yield { type: 'finished', index, result }
  }
}

test('the self-test runs by keyboard, and shows its progress and the result of each test', async ({
  window: { open, page, mock },
}) => {
  let goOn: () => void = () => undefined
  mock.state.selfTest = async function* () {
    yield* played([answered, refused])
    yield { type: 'started', index: 2 }
    await new Promise<void>((resolve) => (goOn = resolve))
    for (const [index, result] of [answered, refused, plaintext].entries())
      yield { type: 'finished', index: index + 2, result }
    yield { type: 'ended', held: 5, attempts: 5 }
  }
  await open('#/privacy/self-test')
  const selfTest = page.getByRole('region', { name: 'Self-test' })
  await selfTest.getByRole('button', { name: 'Run self-test' }).focus()
  await page.keyboard.press('Enter')
  await expect(selfTest.getByText('3 of 5 Intel TDX: a valid enclave, no attack')).toBeVisible()
  await expect(selfTest.getByRole('progressbar', { name: 'Self-test' })).toBeVisible()
  await expect(selfTest.getByRole('button', { name: 'Stop' })).toBeFocused()
  goOn()
  await expect(selfTest.getByText('All 5 tests passed.')).toBeVisible()
  await expect(page.getByTestId('announcer')).toHaveText('All 5 tests passed.')
  await expect(selfTest.getByRole('button', { name: 'Run again' })).toBeFocused()
  await selfTest.getByText('AMD SEV-SNP').click()
  await expect(selfTest.locator('[data-platform="sev-snp"] [data-fault="control"]')).toContainText(
    'Answered. 151 bytes were received, all sealed to the verified key.',
  )
  const row = selfTest.locator('[data-platform="sev-snp"] [data-fault="debug-guest"]')
  for (const part of [
    'Blocked at “Enclave debugging is disabled”',
    'Nothing was sent: 0 bytes were received.',
    'report/debug: report/debug-guest',
  ])
    await expect(row).toContainText(part)
  await expect(selfTest.locator('[data-held="false"]')).toHaveCount(0)
})

test('a test that failed is expanded automatically, and explains the failure', async ({
  window: { open, page, mock },
}) => {
  mock.state.selfTest = async function* () {
    await Promise.resolve()
    yield* played([answered, refused, answered, wentThrough, plaintext])
    yield { type: 'ended', held: 4, attempts: 5 }
  }
  await open('#/privacy/self-test')
  const selfTest = page.getByRole('region', { name: 'Self-test' })
  await selfTest.getByRole('button', { name: 'Run self-test' }).click()
  await expect(selfTest.getByText('1 of 5 tests failed.')).toBeVisible()
  await expect(selfTest.getByText('1 failed')).toBeVisible()
  const row = selfTest.locator('[data-fault="rtmr3-not-zero"]')
  await expect(row).toBeVisible()
  await expect(row).toContainText('It should have been blocked with td/rtmr3-set')
  await expect(row).toContainText('Don’t use private models on this computer')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFaults(page, 'section[aria-label="Self-test"]')).toEqual([])
  }
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
})

test('the self-test can be stopped, continues while another view is open, and shows why it didn’t start', async ({
  window: { open, page, mock },
}) => {
  let stopped = false
  mock.state.selfTest = async function* (signal) {
    try {
      yield* played([answered, refused])
      yield { type: 'started', index: 2 }
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    } finally {
      stopped = true
    }
  }
  await open('#/privacy/self-test')
  const selfTest = page.getByRole('region', { name: 'Self-test' })
  await selfTest.getByRole('button', { name: 'Run self-test' }).click()
  await expect(selfTest.getByText('3 of 5')).toBeVisible()
  await page.evaluate("location.hash = '#/settings'")
  await expect(selfTest).toHaveCount(0)
  await page.evaluate("location.hash = '#/privacy/self-test'")
  await selfTest.getByRole('button', { name: 'Stop' }).click()
  await expect(selfTest.getByText('Stopped after 2 of 5 tests. None failed.')).toBeVisible()
  await expect.poll(() => stopped).toBe(true)
  mock.state.failures['privacy.selfTest'] = failure('self-test/unavailable')
  await selfTest.getByRole('button', { name: 'Run again' }).click()
  await expect(selfTest.getByRole('alert')).toContainText('The self-test can’t start right now.')
})

test('the self-test is available on the privacy screen of every service', async ({
  window: { open, page, mock },
}) => {
  mock.state.status = {
    ...mock.state.status,
    service: { ...mock.state.status.service, kind: 'service', trust: 'built-in' },
  }
  await open('#/privacy/self-test')
  await expect(page.getByRole('button', { name: 'Run self-test' })).toBeVisible()
})

test('the sandbox’s enclave moves to another platform, with the faults that apply there', async ({
  window: { open, page, mock },
}) => {
  await open('#/privacy/self-test')
  await expect(page.getByRole('switch', { name: /old-tcb/ })).toBeVisible()
  await page.getByRole('radio', { name: 'AWS Nitro' }).click()
  await expect(page.getByRole('radio', { name: 'AWS Nitro' })).toBeChecked()
  expect(mock.state.platform).toBe('nitro')
  await expect(page.getByRole('switch', { name: /wrong-nonce/ })).toBeVisible()
  await expect(page.getByRole('switch', { name: /old-tcb/ })).toHaveCount(0)
})
