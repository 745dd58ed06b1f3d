import { axeFaults } from './axe.ts'
import { failure, type MockServer } from './mock-server.ts'
import { serviceStatus } from './mock-data.ts'
import { expect, test } from './window-test.ts'

const listFaults = (mock: MockServer) =>
  Object.fromEntries(mock.state.routes.flatMap(({ name, fault }) => (fault ? [[name, fault]] : [])))
const IMAGES = ['POST /v1/images/generations', 'POST /v1/images/edits'] as const

test.describe('simulated faults of the sandbox’s routes', () => {
  test('are set for a group by keyboard only, shown in every view, and turned off together', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Demo mode' })
    await expect(section.getByRole('status')).toContainText('All 12 routes respond normally.')
    await expect(section.getByRole('button', { name: 'Turn all off' })).toBeDisabled()

    // Uses arrows instead of letters, because a select resets its search if the next letter is late.
    const wrong = section.getByLabel('Images: behavior')
    await wrong.focus()
    await page.keyboard.press('Enter')
    for (const next of ['401', '402', '404', '429', '500', '503']) {
      await page.keyboard.press('ArrowDown')
      await expect(wrong.locator(`option[value="${next}"]`)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(wrong).toHaveValue('503')
    await page.keyboard.press('Tab')
    await page.keyboard.type('1500')
    await page.keyboard.press('Enter')
    await expect(section.getByRole('status')).toContainText('2 of 12 routes have simulated faults.')
    await expect
      .poll(() => listFaults(mock))
      .toEqual(Object.fromEntries(IMAGES.map((name) => [name, { status: 503, latencyMs: 1500 }])))
    await expect(section.getByLabel('Images: delay in ms')).toHaveValue('1500')

    const mark = page.getByRole('complementary', { name: 'Demo mode' }).getByRole('link')
    await expect(mark).toHaveText('Simulated faults: 2 routes')
    await page.getByRole('button', { name: 'New chat' }).click()
    await mark.press('Enter')
    await section.getByRole('button', { name: 'Turn all off' }).press('Enter')
    await expect(section.getByRole('status')).toContainText('All 12')
    await expect(mark).toHaveCount(0)
    expect(listFaults(mock)).toEqual({})
  })

  test('set before an earlier response arrived stay set', async ({ window: { open, page, mock } }) => {
    await open('#/settings')
    let answer = () => {}
    const gate = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/sandbox/setRouteFault', async (route) => {
      await gate
      await route.continue()
    })
    const first = page.waitForRequest('**/api/sandbox/setRouteFault')
    await page.getByLabel('Images: behavior').selectOption('503: unavailable')
    await first
    await expect(
      page.getByLabel('Images: behavior'),
      'shows what was chosen, and not what is known',
    ).toHaveValue('503')
    await page.getByLabel('Images: delay in ms').fill('1500')
    await page.getByLabel('Images: delay in ms').press('Enter')
    answer()
    await expect(page.getByLabel('Images: delay in ms')).toHaveValue('1500')
    await expect
      .poll(() => listFaults(mock))
      .toEqual(Object.fromEntries(IMAGES.map((name) => [name, { status: 503, latencyMs: 1500 }])))
  })

  test('can be set for one route of a group, and the group shows that its routes differ', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Demo mode' })
    const unfold = section
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Images' }) })
      .getByRole('button', { name: 'Show 2 routes' })
    await expect(unfold).toHaveAttribute('aria-expanded', 'false')
    await unfold.press('Enter')
    await expect(unfold).toHaveAttribute('aria-expanded', 'true')
    await section.getByLabel(`${IMAGES[1]}: behavior`).selectOption('Cuts off mid-response')
    await expect(section.getByLabel('Images: behavior')).toHaveValue('')
    await expect(section.getByText('1 of 2 on')).toBeVisible()
    expect(listFaults(mock)).toEqual({ [IMAGES[1]]: { cut: true } })
    // A change for the group keeps the routes' differences, and applies to all routes.
    await section.getByLabel('Images: delay in ms').fill('20')
    await section.getByLabel('Images: delay in ms').blur()
    await expect
      .poll(() => listFaults(mock))
      .toEqual({ [IMAGES[0]]: { latencyMs: 20 }, [IMAGES[1]]: { cut: true, latencyMs: 20 } })
  })

  test('aren’t set with an invalid delay, and Escape restores the field', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    const field = page.getByLabel('Chat: delay in ms', { exact: true })
    for (const text of ['soon', '-1', '1.5', '600001']) {
      await field.fill(text)
      await field.press('Enter')
      await expect(page.getByRole('alert')).toHaveText('0 to 600000 ms')
      await expect(field).toHaveAttribute('aria-invalid', 'true')
    }
    await field.press('Escape')
    await expect(field).toHaveValue('')
    expect(mock.calls.filter(({ path }) => path === 'sandbox.setRouteFault')).toEqual([])
  })

  test('of private chat are only a delay, with a link to the other simulated faults', async ({
    window: { open, page, mock },
  }) => {
    mock.state.faults = ['debug-guest']
    await open('#/settings')
    const section = page.getByRole('region', { name: 'Demo mode' })
    await expect(section.getByLabel('Private chat: behavior')).toHaveCount(0)
    await section.getByLabel('Private chat: delay in ms').fill('9')
    await section.getByLabel('Private chat: delay in ms').press('Enter')
    await expect.poll(() => Object.values(listFaults(mock))).toEqual([{ latencyMs: 9 }, { latencyMs: 9 }])
    await expect(page.getByRole('complementary', { name: 'Demo mode' }).getByRole('link')).toHaveText(
      'Simulated faults: 2 routes, 1 in verification',
    )
    await section.getByRole('link', { name: 'Simulated faults in Privacy' }).click()
    await expect(page.getByRole('region', { name: 'Simulated faults' })).toBeVisible()
  })

  test('show an error if they can’t be listed or set', async ({ window: { open, page, mock } }) => {
    mock.state.failures['sandbox.routes'] = failure('store/damaged')
    await open('#/settings')
    await expect(page.getByRole('alert')).toContainText('The data folder can’t be read')
    delete mock.state.failures['sandbox.routes']
    await page.reload()
    mock.state.failures['sandbox.setRouteFault'] = failure('sandbox/route-fault')
    await page.getByLabel('Models: behavior').selectOption('401: rejects the key')
    await expect(page.getByRole('alert')).toContainText('Demo mode doesn’t have this endpoint')
    await expect(page.getByLabel('Models: behavior')).toHaveValue('none')
  })

  test('of the demo wallet are set by keyboard, shown in every view, and turned off', async ({
    window: { open, page, mock },
  }) => {
    await open('#/settings')
    const wallet = page.getByLabel('Demo wallet: behavior')
    await expect(wallet).toHaveValue('')
    await expect(wallet.locator('option')).toHaveCount(13)
    await wallet.focus()
    for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect(wallet).toHaveValue('lost-reply')
    await expect.poll(() => mock.state.walletFault).toBe('lost-reply')
    const mark = page.getByRole('complementary', { name: 'Demo mode' }).getByRole('link')
    await expect(mark).toHaveText('Simulated faults: wallet')
    await page.getByLabel('Models: behavior').selectOption('401: rejects the key')
    await expect(mark).toHaveText('Simulated faults: 1 route, wallet')
    await page.reload()
    await expect(wallet).toHaveValue('lost-reply')
    await wallet.selectOption('Pays normally')
    await expect(mark).toHaveText('Simulated faults: 1 route')
    expect(mock.state.walletFault).toBeNull()
    mock.state.failures['sandbox.setWalletFault'] = failure('sandbox/off')
    await wallet.selectOption('Relay offline')
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(wallet).toHaveValue('')
  })

  test('are absent if the service is not the sandbox', async ({ window: { open, page, mock } }) => {
    mock.state.status = serviceStatus()
    await open('#/settings')
    await expect(page.getByRole('region', { name: 'Service' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Demo mode' })).toHaveCount(0)
    expect(mock.calls.filter(({ path }) => path === 'sandbox.routes')).toEqual([])
  })
})

test.describe('the section with a fault and an expanded group', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })
  test('passes axe in light and dark, and nothing scrolls sideways at 360 pixels', async ({
    window: { open, page, mock },
  }) => {
    mock.state.faults = ['debug-guest']
    mock.state.walletFault = 'held'
    mock.state.routes = mock.state.routes.map((route) =>
      route.group === 'Data'
        ? { ...route, fault: { status: 429, retryAfter: 7, latencyMs: 250 } }
        : route.name === IMAGES[0]
          ? { ...route, fault: { cut: true } }
          : route,
    )
    await open('#/settings')
    await page.getByRole('button', { name: 'Show 4 routes' }).click()
    await page.getByLabel('Chat: delay in ms', { exact: true }).fill('x')
    await expect(page.getByRole('alert')).toBeVisible()
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 480],
      ['dark', 480],
      ['light', 360],
      ['dark', 360],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      expect(await axeFaults(page), `${colorScheme} ${String(width)}`).toEqual([])
      expect(
        await page.evaluate(
          '[document.documentElement, document.body, document.querySelector("main")].filter((element) => element.scrollWidth > element.clientWidth).length',
        ),
      ).toBe(0)
      await expect(page.getByText('Delay', { exact: true }).first()).toBeVisible()
    }
  })
})
