import { expect, test, vi } from 'vitest'
import type { Verdict } from '../../src/shared/verdict.ts'
import { draw, elements } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('../../src/renderer/features/privacy/privacy-store.ts', () => ({ usePrivacy: () => undefined }))
vi.mock('../../src/renderer/features/privacy/changes.tsx', () => ({ Changes: () => null }))
vi.mock('../../src/renderer/features/privacy/release-link.tsx', () => ({ ReleaseLink: () => null }))
vi.mock('../../src/renderer/ui/verdict-store.ts', () => ({ acceptRelease: () => Promise.resolve() }))

const { ReleaseConsent } = await import('../../src/renderer/features/privacy/release-consent.tsx')

/** What consent hangs on, alone. */
const verdict = (tag: string, code = 'release/not-yet-trusted'): Verdict => ({ good: false, trust: 'built-in', failure: { code, says: '' }, release: { repository: 'a/b', tag, digest: tag } }) as Verdict
const isPress = (value: unknown): value is () => void => typeof value === 'function'

test.each([['another release', [verdict('v2')]], ['what consent does not mend, and then another', [verdict('v1', 'snp/signature'), verdict('v1')]]])('a question about a release ends with %s', (_, next) => {
  const given = { verdict: verdict('v1') }
  const drawn = draw(() => ReleaseConsent(given))
  const isOpen = () => [...elements(drawn.shown())].some(({ open }) => open === true)
  const [ask] = [...elements(drawn.shown())].flatMap(({ onClick }) => (isPress(onClick) ? [onClick] : []))
  ask?.()
  expect(isOpen()).toBe(true)
  for (const each of next) {
    given.verdict = each
    drawn.again()
    expect(isOpen()).toBe(false)
  }
})
