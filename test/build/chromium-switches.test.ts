import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { disabledFeatures } from '../e2e/chromium-switches.ts'

test('page tests disable every Chromium feature that Playwright disables, because only the last list takes effect', () => {
  const require = createRequire(createRequire(import.meta.url).resolve('@playwright/test'))
  const core = readFileSync(
    join(dirname(require.resolve('playwright-core/package.json')), 'lib/coreBundle.js'),
    'utf8',
  )
  const [, list = ''] = /\n\s*disabledFeatures = \[\n(.*?)\n\s*\]/s.exec(core) ?? []
  const theirs = [...list.matchAll(/^\s*"(\w+)",?$/gm)].map(([, name]) => name)
  expect(theirs.length).toBeGreaterThan(10)
  expect(disabledFeatures).toEqual(expect.arrayContaining(theirs))
})
