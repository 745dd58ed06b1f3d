import { expect, it } from 'vitest'
import { parseRoute } from '../../src/renderer/ui/route.ts'
import { linkViews } from '../../src/shared/sotto-link.ts'

/** Links of earlier versions, and where their content is now. */
const moved = new Map([
  ['history', { view: 'wallet', part: 'activity' }],
  ['keys', { view: 'developer', part: 'keys' }],
  ['local-api', { view: 'developer' }],
])

it.each(linkViews)('a link to %s leads to that view, or to its current place', (view) =>
  expect(parseRoute(`#/${view}`)).toEqual(moved.get(view) ?? { view }),
)

it('a link to a conversation or to the accounts leads there', () => {
  expect(parseRoute('#/chat/8b1a-9')).toEqual({ view: 'chat', conversationId: '8b1a-9' })
  expect(parseRoute('#/wallet/accounts')).toEqual({ view: 'wallet', part: 'accounts' })
})
