import { t } from '@lingui/core/macro'

/* eslint-disable lingui/no-unlocalized-strings -- Names of products are the same in every language. */
/** Most specific first: most browsers also name Chrome, and Chrome also names Safari. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

/** Most specific first: Android also names Linux, and iPhones also name Mac OS X. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPadOS'],
  [/\biPhone\b/, 'iOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
/* eslint-enable lingui/no-unlocalized-strings */

/**
 * Names the browser and system that a User-Agent header claims. The header's own text is never part of the name.
 *
 * @returns for example "Chrome on Linux"; "Browser" if the header names nothing known
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5
 */
export function describeBrowser(userAgent: string): string {
  const browser = nameIn(userAgent, browsers) ?? t`Browser`
  const system = nameIn(userAgent, systems)
  return system === undefined ? browser : t`${browser} on ${system}`
}

function nameIn(userAgent: string, known: readonly (readonly [RegExp, string])[]): string | undefined {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1]
}
