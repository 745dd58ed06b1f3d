import { expect, it } from 'vitest'
import { limitsOf } from '../../src/cli/key-limit-options.ts'
import { editLimits } from '../../src/cli/key-names.ts'
import type { KeyLimitsText } from '../../src/shared/key-limits.ts'

const both: KeyLimitsText = { atLeast: 'sealed', serverTools: { webSearch: true, knowledge: 'Work' } }

it.each<[string, Parameters<typeof editLimits>[1], KeyLimitsText['serverTools']]>([
  ['nothing', {}, { webSearch: true, knowledge: 'Work' }],
  ['no web search', { webSearch: false }, { knowledge: 'Work' }],
  ['no documents', { knowledge: false }, { webSearch: true }],
  ['other documents', { knowledge: 'Home' }, { webSearch: true, knowledge: 'Home' }],
  ['none of both', { webSearch: false, knowledge: false }, undefined],
])('an edit to %s changes only these server tools', (_, edit, serverTools) => {
  expect(editLimits(both, edit)).toEqual({ atLeast: 'sealed', ...(serverTools && { serverTools }) })
})

it('a new key has the server tools of its options', () => {
  const options = { per: 'month', soft: false, unpriced: false } as const
  expect(limitsOf({ ...options, webSearch: true, knowledge: 'Work' })).toEqual({
    serverTools: { webSearch: true, knowledge: 'Work' },
  })
  expect(limitsOf({ ...options, webSearch: true })).toEqual({ serverTools: { webSearch: true } })
  expect(limitsOf(options)).toEqual({})
})
