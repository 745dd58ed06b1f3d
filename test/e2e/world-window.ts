import { expect, type Page } from '@playwright/test'
import { WindowSessions } from '../../src/core/core.ts'
import { createUiServer } from '../../src/host/ui-server.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import { startWorld, type World, type WorldOptions } from '../world.ts'
import { windowCaller } from '../window-caller.ts'

export interface WorldWindow extends AsyncDisposable {
  readonly world: World
  /** Opens a view of the window. */
  open(page: Page, place: string): Promise<void>
}

/** High enough that a test's payments need no confirmation. */
const HIGH = '900000000'

/**
 * The built window with the real core and the sandbox of a revision, paid from a balance, or per request
 * without an account.
 */
export async function startWorldWindow(
  revision: 'A' | 'B',
  pay: 'balance' | 'single',
  options: Omit<WorldOptions, 'revision' | 'profile'> = {},
): Promise<WorldWindow> {
  const world = await startWorld({
    ...options,
    revision,
    profile: (profile) => ({ ...profile, revision, alternativeBaseUrl: profile.baseUrl }),
  })
  if (pay === 'single') {
    await world.call('accounts/disconnect')
    await world.call('wallet/connectSandbox')
    await world.call('wallet/setLimits', {
      perPayment: HIGH,
      perDay: HIGH,
      perHostAndDay: HIGH,
      automaticUpTo: HIGH,
    })
  }
  const uiServer = await createUiServer(
    {
      api: (request) => world.core.api(request, windowCaller),
      files: (request) => world.core.files(request),
      bodies: new BodyBudget(),
      windows: new WindowSessions(),
    },
    0,
  )
  return {
    world,
    async open(page, place) {
      await page.goto(uiServer.newAddress())
      const begin = page.getByRole('button', { name: 'Try the demo' })
      const message = page.getByRole('textbox', { name: 'Message', exact: true })
      await expect(begin.or(message).first()).toBeVisible()
      if (await begin.isVisible()) await begin.click()
      await expect(message).toBeVisible()
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    },
    async [Symbol.asyncDispose]() {
      await uiServer[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}
