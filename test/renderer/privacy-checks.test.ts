// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { createElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Checks } from '../../src/renderer/features/privacy/checks.tsx'
import { groupOf, groupSteps } from '../../src/renderer/features/privacy/step-groups.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import { stepsOf } from '../../src/verifier/evidence-steps.ts'
import { documentSteps } from '../../src/verifier/document.ts'
import { v3Steps } from '../../src/verifier/v3/index.ts'
import { platforms } from '../../src/shared/policy/attestation-policy.ts'
import { goodVerdict, refusedVerdict } from '../e2e/mock-data.ts'
import { drawInPage } from './in-page.ts'

const shown = vi.hoisted(() => ({ verdict: undefined as Verdict | undefined }))
vi.mock('../../src/renderer/ui/verdict-store.ts', () => ({
  useVerdict: <Part>(select: (state: typeof shown) => Part) => select(shown),
}))

const policy = {
  enclaveHost: 'e.example',
  certificateLabelSuffix: 'e.example',
  code: {
    repository: 'o/r',
    oidcIssuer: 'https://issuer.example',
    refPrefix: 'refs/tags/',
    runnerEnvironment: 'github-hosted',
    predicateTypes: ['p'],
  },
} as const

describe('the groups of checks', () => {
  it('have every step of every platform', () => {
    const plans = [documentSteps, v3Steps, ...platforms.map((platform) => stepsOf(platform, { policy }))]
    const ids = [
      ...plans.flatMap(({ names }) => names.map(({ id }) => id)),
      'release/not-older',
      'release/trusted',
      'tls/connection',
    ]
    expect(ids.filter((id) => groupOf(id) === undefined)).toEqual([])
  })

  it('keep the order in which the steps ran, and lose none', () => {
    const { steps } = goodVerdict(0)
    const numbered = [...groupSteps([...steps, { ...steps[0]!, id: 'unknown/step' }]).values()].flat()
    expect(numbered.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      [...steps, 'unknown'].map((_, index) => index + 1),
    )
    expect(numbered.every(({ step, number }) => step.id === (steps[number - 1]?.id ?? 'unknown/step'))).toBe(
      true,
    )
  })
})

describe('the checks of a verdict', () => {
  const shownIds = (page: HTMLElement) =>
    [...page.querySelectorAll('[data-step]')].map((step) => step.getAttribute('data-step'))
  const unfoldedGroups = (page: HTMLElement) =>
    [...page.querySelectorAll<HTMLDetailsElement>('details[data-group]')].filter(({ open }) => open).length

  it('are filtered by their outcome and their words, and what is found is unfolded', () => {
    shown.verdict = goodVerdict(0)
    const page = drawInPage(createElement(Checks))
    expect(shownIds(page.container)).toHaveLength(9)
    expect(unfoldedGroups(page.container)).toBe(0)
    fireEvent.click(page.getByRole('button', { name: 'Not checked 1' }))
    expect(shownIds(page.container)).toHaveLength(1)
    expect(unfoldedGroups(page.container)).toBe(1)
    fireEvent.click(page.getByRole('button', { name: 'All 9' }))
    fireEvent.change(page.getByRole('searchbox'), { target: { value: 'Code of the release' } })
    expect(shownIds(page.container)).toEqual(['measurement/match'])
    fireEvent.change(page.getByRole('searchbox'), { target: { value: 'nothing like it' } })
    expect(page.getByText('No matches')).toBeDefined()
  })

  it('show the group of a failed check unfolded', () => {
    shown.verdict = refusedVerdict(0)
    const page = drawInPage(createElement(Checks))
    const failed = page.container.querySelector('[data-step="measurement/match"]')
    expect(failed?.closest('details')?.open).toBe(true)
    expect(page.getByRole('button', { name: 'Failed 1' })).toBeDefined()
  })
})
