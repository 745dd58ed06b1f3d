import { expect, it } from 'vitest'
import { parseRoute } from '../../src/renderer/ui/route.ts'
import { linkViews } from '../../src/shared/sotto-link.ts'

/** Links of earlier versions, and where their content is now. */
const moved = new Map([
  ['history', { room: 'wallet', part: 'activity' }],
  ['keys', { room: 'developer', part: 'keys' }],
  ['local-api', { room: 'developer' }],
])

it.each(linkViews)('a link to %s leads to that room, or to where it is now', (room) =>
  expect(parseRoute(`#/${room}`)).toEqual(moved.get(room) ?? { room }),
)

it('a link to a conversation or to the accounts leads there', () => {
  expect(parseRoute('#/chat/8b1a-9')).toEqual({ room: 'chat', conversationId: '8b1a-9' })
  expect(parseRoute('#/wallet/accounts')).toEqual({ room: 'wallet', part: 'accounts' })
})
