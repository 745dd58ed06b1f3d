/** What Playwright switches off itself: Chromium hears the last list alone, so it is said again (test/build/chromium-switches.test.ts). */
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

/** Pages of the browser's own address bar: each context would load them in a process more, a third of what a short test takes. */
const OF_THE_ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** The features of Chromium that are off in page tests: none that a page can tell. */
export const disabledFeatures: readonly string[] = [...PLAYWRIGHTS, ...OF_THE_ADDRESS_BAR]

/**
 * For Playwright's `launchOptions.args`. Without a process for graphics, which a machine without a screen has a slow one of; nothing here
 * draws with WebGL.
 */
export const chromiumSwitches = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-gpu',
  '--disable-software-rasterizer',
]
