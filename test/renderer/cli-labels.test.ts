import { describe, expect, it } from 'vitest'
import * as labels from '../../src/cli/labels.ts'
import { stageWord } from '../../src/renderer/features/chat/spoken-progress.ts'
import { batchState } from '../../src/renderer/features/data/batch/batch-words.ts'
import { budgetWords, grantWords } from '../../src/renderer/ui/keys/key-words.ts'
import { statusText } from '../../src/renderer/features/wallet/purchases/purchase-status.ts'
import { statusText as topupStandingWords } from '../../src/renderer/features/wallet/topups/topup-status.ts'
import { methodWords } from '../../src/renderer/features/wallet/topups/topup-words.ts'
import { stateWords } from '../../src/renderer/ui/jobs/job-words.ts'
import { priceSentences } from '../../src/renderer/ui/jobs/price-words.ts'
import { privacyWord } from '../../src/renderer/ui/privacy-mark.tsx'
import { jobStates } from '../../src/shared/job-state.ts'
import { budgetPeriods } from '../../src/shared/key-limits.ts'

/** The names of a window's table, whose entries are getters of the current language. */
function namesOf(table: Readonly<Record<string, { readonly name: string }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([key, { name }]) => [key, name]))
}

describe('the command line has the words of the window', () => {
  it('for jobs and batches', () => {
    expect(labels.jobStateNames).toEqual(namesOf(stateWords))
    expect(labels.batchStateNames).toEqual(
      Object.fromEntries(jobStates.map((state) => [state, batchState({ state }).name])),
    )
  })

  it('for purchases', () => {
    expect(labels.purchaseStatusNames).toEqual(namesOf(statusText))
  })

  it('for top-ups', () => {
    expect(labels.topupMethodLabels).toEqual(namesOf(methodWords))
    expect(labels.topupStatusNames).toEqual(namesOf(topupStandingWords))
  })

  it('for who can read a message, and for the steps before a reply', () => {
    expect(labels.privacyNames).toEqual({ ...privacyWord })
    expect(labels.stageNames).toEqual({ ...stageWord })
  })

  it('for local keys', () => {
    expect(budgetPeriods.map((period) => labels.periodNames[period])).toEqual(
      budgetPeriods.map((period) => budgetWords({ picoUsd: '0', period }).replace(/^\S+ /, '')),
    )
    expect(labels.grantNames).toEqual(
      Object.fromEntries(Object.entries(grantWords).map(([grant, { short }]) => [grant, short])),
    )
  })

  it('for estimates', () => {
    for (const reason of ['price', 'choice', 'length'] as const)
      expect(labels.unknownCostReasons[reason]).toBe(
        priceSentences({ cost: null, unknown: [reason] }).join(' '),
      )
  })
})
