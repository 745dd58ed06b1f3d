/**
 * Features that Playwright disables. Chromium applies only the last list, so this list repeats them
 * (test/build/chromium-switches.test.ts).
 */
const PLAYWRIGHTS = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/**
 * Pages of the browser's address bar. Each context would load them in another process, which takes a third of
 * a short test's time.
 */
const OF_THE_ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** The Chromium features that are off in page tests. No page can detect them. */
export const disabledFeatures: readonly string[] = [...PLAYWRIGHTS, ...OF_THE_ADDRESS_BAR]

/**
 * For Playwright's `launchOptions.args`. Runs no graphics process, because it is slow on a machine without a
 * screen and no page draws with WebGL.
 */
export const chromiumSwitches = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-gpu',
  '--disable-software-rasterizer',
]
