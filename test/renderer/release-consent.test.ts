// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import type { Verdict } from '../../src/shared/verdict.ts'
import { drawInPage } from './in-page.ts'

const never = () => new Promise(() => undefined)
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { privacy: { history: never, choices: never, trust: never } },
}))

const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { ApproveRelease } = await import('../../src/renderer/features/privacy/release-consent.tsx')
const { consentWords } = await import('../../src/renderer/features/privacy/release-words.ts')

/** Only the parts of a verdict that consent depends on. */
const verdict = (tag: string, code = 'release/not-yet-trusted'): Verdict =>
  ({
    good: false,
    trust: 'built-in',
    failure: { code, says: '' },
    release: { repository: 'a/b', tag, digest: tag },
  }) as Verdict
const consent = (of: Verdict) =>
  createElement(ServiceScope, undefined, createElement(ApproveRelease, { verdict: of }))
const isOpen = () => screen.queryByRole('alertdialog') !== null

test.each([
  ['another release', [verdict('v2')]],
  ['what consent does not mend, and then another', [verdict('v1', 'snp/signature'), verdict('v1')]],
])('a question about a release ends with %s', (_, next) => {
  const drawn = drawInPage(consent(verdict('v1')))
  fireEvent.click(screen.getByRole('button', { name: 'Approve release v1…' }))
  expect(isOpen()).toBe(true)
  for (const each of next) {
    drawn.rerender(consent(each))
    expect(isOpen()).toBe(false)
  }
})

test.each([
  ['release/not-yet-trusted', false],
  ['release/older', true],
] as const)(
  'after %s only the approval is missing, and after other failures more is',
  (code, isDowngrade) => {
    const missing = consentWords(verdict('v1', code))
    expect(missing?.says).toContain('Nothing is sent')
    expect(missing?.isDowngrade).toBe(isDowngrade)
    expect(consentWords(verdict('v1', 'snp/signature'))).toBeUndefined()
  },
)
