import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { findRefusedSwitch } from '../../src/main/command-line.ts'

vi.mock('electron', () => ({ app: {} }))

/** Of Electron, Chromium and V8: what hands the page or the process to others, weakens it or redirects it. */
const DANGEROUS = [
  '--remote-debugging-port=9222',
  '--remote-debugging-pipe',
  '--remote-allow-origins=*',
  '--inspect',
  '--inspect-brk=0',
  '--js-flags=--expose-gc',
  '--no-sandbox',
  '--disable-setuid-sandbox',
  '--disable-namespace-sandbox',
  '--disable-seccomp-filter-sandbox',
  '--no-zygote',
  '--single-process',
  '--in-process-gpu',
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--allow-running-insecure-content',
  '--ignore-certificate-errors',
  '--unsafely-treat-insecure-origin-as-secure=http://a',
  '--load-extension=/tmp',
  '--gpu-launcher=sh',
  '--renderer-cmd-prefix=sh',
  '--utility-cmd-prefix=sh',
  '--browser-subprocess-path=/tmp/a',
  '--ppapi-flash-path=/tmp/a',
  '--proxy-server=evil:80',
  '--host-resolver-rules=MAP * evil',
  '--host-rules=MAP * evil',
  '--proxy-pac-url=http://evil',
  '--auth-server-whitelist=*',
  '--user-data-dir=/tmp',
  '--log-net-log=/tmp/a',
  '--enable-logging',
  '--password-store=basic',
  '--use-fake-ui-for-media-stream',
  '--disable-features=IsolateOrigins',
  '--enable-blink-features=All',
  '--enable-features=UseOzonePlatform,Other',
  '--enable-features',
  '--ozone-platform=headless',
  '--force-device-scale-factor=x',
  '--hidden=1',
  '--unknown',
]

describe('the command line of a packaged app', () => {
  it.each(DANGEROUS)('refuses %s', (argument) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      expect(findRefusedSwitch(['--hidden', argument], platform)).toBe(argument)
  })
  it.each([
    ['--hidden'],
    ['--updated'],
    ['sotto://open/privacy'],
    ['--ozone-platform=wayland', '--enable-features=UseOzonePlatform,WaylandWindowDecorations'],
    ['--ozone-platform-hint=auto'],
    ['--enable-wayland-ime', '--wayland-text-input-version=3'],
    ['--force-device-scale-factor=1.5'],
    ['--disable-gpu'],
    ['--force-renderer-accessibility'],
    [],
  ])('accepts %s %s', (...args: string[]) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      expect(findRefusedSwitch(args, platform)).toBeUndefined()
  })
  it('recognizes every form of a Chromium switch', () => {
    expect(findRefusedSwitch(['-no-sandbox'], 'linux')).toBe('-no-sandbox')
    expect(findRefusedSwitch(['--', '--no-sandbox'], 'linux')).toBe('--')
    for (const argument of ['/no-sandbox', '--No-Sandbox', '/REMOTE-DEBUGGING-PORT=1'])
      expect(findRefusedSwitch([argument], 'win32')).toBe(argument)
    expect(findRefusedSwitch([' \t--no-sandbox'], 'win32')).toBe('--no-sandbox')
    expect(findRefusedSwitch(['-Embedding'], 'win32')).toBeUndefined()
    expect(findRefusedSwitch(['/home/me/file'], 'linux')).toBeUndefined()
  })
  it('accepts the Finder’s serial number only on macOS', () => {
    expect(findRefusedSwitch(['-psn_0_123456'], 'darwin')).toBeUndefined()
    expect(findRefusedSwitch(['-psn_0_123456'], 'linux')).toBe('-psn_0_123456')
    expect(findRefusedSwitch(['-psn_0_1 --inspect'], 'darwin')).toBe('-psn_0_1 --inspect')
  })
  it('refuses every name that isn’t on the list, with any value and prefix', () => {
    const allowed =
      /^(?:hidden|updated|embedding|ozone-platform|ozone-platform-hint|enable-features|enable-wayland-ime|wayland-text-input-version|force-device-scale-factor|disable-gpu|force-renderer-accessibility)$/i
    const name = fc
      .string({ unit: 'grapheme-ascii', minLength: 1 })
      .filter((text) => !/[\s=]/.test(text) && !allowed.test(text) && !/^-/.test(text))
    fc.assert(
      fc.property(fc.constantFrom('--', '-', '/'), name, fc.string(), (prefix, switchName, value) => {
        expect(findRefusedSwitch(['--hidden', `${prefix}${switchName}=${value}`], 'win32')).toBeDefined()
      }),
    )
  })
})
